/** One line that a server wrote: an answer to one of Pawl's calls stays raw text, everything else is read. */
import { isUtf8 } from 'node:buffer';
import { type Fault, type Json, type JsonObject, isJsonObject, sliceMembers } from '@pawl/core';
import { outermostMembers } from '../members.js';
import { type RawResult, readToolResult, tooLarge, unreadable } from '../result.js';
import { firstCallId } from './calls.js';

/** What a line is. */
export type AnswerLine =
  | { readonly kind: 'answer'; readonly id: number; readonly read: (maxBytes: number) => RawResult | Fault }
  | { readonly kind: 'message'; readonly value: JsonObject }
  | { readonly kind: 'garbage' };

const garbage: AnswerLine = Object.freeze({ kind: 'garbage' });

/**
 * Reads one line. An answer is not looked into before someone asks for it, so that late and foreign ones cost little; whatever
 * is no JSON-RPC message is garbage. Never throws.
 */
export function readAnswerLine(bytes: Buffer): AnswerLine {
  if (bytes[0] !== 0x7b || !isUtf8(bytes)) return garbage;
  const text = bytes.toString('utf8');
  const members = outermostMembers(text);
  if (members?.get('jsonrpc') !== '"2.0"') return garbage;
  const id = members.has('method') ? undefined : ownId(members.get('id'));
  if (id === undefined) return messageIn(text);
  return { kind: 'answer', id, read: (maxBytes) => readAnswer(members, maxBytes) };
}

/** The id of one of Pawl's calls in the excerpts of a line that was too long to keep. */
export function idInExcerpts(head: Buffer, tail: Buffer): number | undefined {
  const start = /^\{"jsonrpc":"2\.0","id":(\d{7,15}),/u.exec(head.toString('latin1'))?.[1];
  const end = /,"id":(\d{7,15})(?:,"jsonrpc":"2\.0")?\}\r?$/u.exec(tail.toString('latin1'))?.[1];
  return ownId(start ?? end);
}

function ownId(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{7,15}$/u.test(text)) return undefined;
  const id = Number(text);
  return id >= firstCallId ? id : undefined;
}

function messageIn(text: string): AnswerLine {
  const value = jsonOf(text);
  return isJsonObject(value) ? { kind: 'message', value } : garbage;
}

/** Ordinary JSON suffices here: nothing of these messages is judged or passed on. */
function jsonOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Everything that JSON.parse returns is JSON. */
function isJson(value: unknown): value is Json {
  return value !== undefined;
}

function readAnswer(members: ReadonlyMap<string, string>, maxBytes: number): RawResult | Fault {
  const result = members.get('result');
  const error = members.get('error');
  if (result !== undefined && error === undefined) return readToolResult(result, maxBytes);
  return error !== undefined && result === undefined ? readToolError(error, maxBytes) : unreadable();
}

function readToolError(text: string, maxBytes: number): RawResult | Fault {
  const parts = sliceMembers(text);
  const code = parts?.get('code') ?? '';
  const message = parts?.get('message') ?? '';
  if (!/^-?\d{1,15}$/u.test(code) || !message.startsWith('"')) return unreadable();
  if (Buffer.byteLength(text) > maxBytes) return tooLarge(maxBytes);
  const data = parts?.get('data');
  const tail = data === undefined ? '' : `,"data":${data}`;
  return { kind: 'error', error: `{"code":${code},"message":${message}${tail}}` };
}
