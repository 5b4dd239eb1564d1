/** Reading the parameters of the operations on tool definitions. */
import { type JsonObject, parseServerName } from '@pawl/core';
import { Params, type Prepared, type Rule, formRule, textRule } from './params.js';
import type { PinAnswer, PinsAccept } from './pins.js';

const server = textRule(parseServerName, 'the name of a server');
const tool = textRule(
  (text) => (text !== '' && text.length <= 1024 ? text : undefined),
  'the name that the server lists the tool by',
);
const digest = formRule(/^[0-9a-f]{12,64}$/u, '12 to 64 digits of a digest in hexadecimal');
const flag: Rule<boolean> = {
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  allowed: 'true or false',
};

/** Which definitions to show. */
export function preparePins(given: JsonObject): Prepared | string {
  const params = new Params(given, ['server', 'tool']);
  const [of, name] = [params.may('server', server), params.may('tool', tool)];
  const asked = { ...(of !== undefined && { server: of }), ...(name !== undefined && { tool: name }) };
  return params.problem ?? ((operations) => operations.pins(asked));
}

/** What is accepted. */
export function preparePinsAccept(given: JsonObject): Prepared | string {
  const params = new Params(given, ['server', 'tool', 'digest', 'all', 'reissue']);
  const answer = answerIn(params);
  const [all, reissue] = [params.may('all', flag), params.may('reissue', flag)];
  if (params.problem !== undefined || answer === undefined) return params.problem ?? 'a parameter is missing';
  const asked: PinsAccept = {
    ...answer,
    ...(all !== undefined && { all }),
    ...(reissue !== undefined && { reissue }),
  };
  return (operations) => operations.pinsAccept(asked);
}

/** What is rejected. */
export function preparePinsReject(given: JsonObject): Prepared | string {
  const params = new Params(given, ['server', 'tool', 'digest']);
  const answer = answerIn(params);
  if (params.problem !== undefined || answer === undefined) return params.problem ?? 'a parameter is missing';
  return (operations) => operations.pinsReject(answer);
}

function answerIn(params: Params): PinAnswer | undefined {
  const [of, name] = [params.need('server', server), params.may('tool', tool)];
  const shown = params.need('digest', digest);
  if (of === undefined || shown === undefined) return undefined;
  return { server: of, digest: shown, ...(name !== undefined && { tool: name }) };
}
