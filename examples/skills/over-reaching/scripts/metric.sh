#!/bin/sh
echo reported
