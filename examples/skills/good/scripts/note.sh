#!/bin/sh
# The arguments come in as JSON; what is written is the result.
echo "note:"
cat
