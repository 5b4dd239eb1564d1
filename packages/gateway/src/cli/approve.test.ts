/** Answering asks: from the command line, and by the rules of who may. */
import {
  Approvals,
  currentCell,
  defaultSettings,
  executorId,
  mintId,
  parseAgentName,
  parseToolName,
  sha256,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { jsonLines, pawl } from '../../../../test/command-line.js';
import { controlDaemon, newFolder } from '../../../../test/control-daemon.js';
import { fakeClock, fakeEntropy, fakeSnapshot } from '../../../../test/fake-policy.js';
import { memoryStore } from '../store/index.js';
import { answerAsk } from './answer-ask.js';

const none = 'a_aaaaaaaaaaaaaaaa';

describe('pawl approve', () => {
  test.each([
    [['approve', none, none], 'answer one ask at a time'],
    [['approve', none, '--list'], '--list takes no ID'],
    [['approve', '--refuse'], '--refuse needs the ID of an ask'],
    [['approve', 'files__write_file'], 'the ID of an ask is a_ and 16 characters'],
  ])('[P.cli.exit-codes] %j is a misuse', async (words, why) => {
    const { exit, out, err } = await pawl(...words, '--store', newFolder());
    expect([exit, out]).toEqual([2, '']);
    expect(err).toContain(why);
  });

  test('without a daemon nothing waits, and that is said', async () => {
    for (const words of [['approve'], ['approve', none]]) {
      const { exit, err } = await pawl(...words, '--store', newFolder());
      expect([exit, err]).toEqual([1, 'pawl approve: no daemon runs on this store, so nothing waits\n']);
    }
  });

  test('[P.cli.json] lists as JSON, and an unknown id is refused', async () => {
    const { folder } = await controlDaemon(newFolder());
    expect(await pawl('approve', '--list', '--store', folder)).toMatchObject({
      exit: 0,
      out: 'nothing waits for an approval\n',
    });
    expect(jsonLines((await pawl('approve', '--json', '--store', folder)).out)).toEqual([[]]);
    const unknown = await pawl('approve', none, '--store', folder, '--json');
    expect(unknown).toMatchObject({ exit: 1, out: '' });
    expect(jsonLines(unknown.err)).toMatchObject([{ error: { code: 'refused' } }]);
  });
});

describe('[P.ask.answered] an answer', () => {
  const agent = parseAgentName('a')!;
  const request = {
    session: mintId.session('s'),
    executor: executorId(agent),
    epoch: 0,
    tool: parseToolName('bank/pay')!,
    toolDigest: sha256('definition'),
    argumentsDigest: sha256('arguments'),
    shown: 'bank__pay {"amount":1}',
    level: 'once',
  } as const;

  function bench(approvers: typeof defaultSettings.approvers = defaultSettings.approvers) {
    const cell = currentCell();
    cell.set(fakeSnapshot({ settings: { approvers } }));
    const store = memoryStore();
    const approvals = new Approvals({
      clock: fakeClock(),
      entropy: fakeEntropy(),
      expires: () => 1000,
      isAlive: () => true,
    });
    const { id = '' } = approvals.ask(request);
    return { id, store, approvals, current: cell.current };
  }

  test('is recorded with what it is about and who gave it, and then counts', async () => {
    const parts = bench();
    expect(await answerAsk(parts, { id: parts.id, says: 'yes' }, 'approver')).toMatchObject({
      ok: true,
      value: { state: 'approved' },
    });
    expect(parts.approvals.ask(request).kind).toBe('approved');
    const texts = (await parts.store.records()).map(({ text }) => text);
    expect(texts.at(-1)).toContain('"event":"approval_given"');
    expect(texts.at(-1)).toContain('"by":"approver"');
    expect(texts.at(-1)).not.toContain('amount');
  });

  test('is not taken from a role that the policy does not name; an operator may what an approver may', async () => {
    const operators = bench(['operator']);
    expect(await answerAsk(operators, { id: operators.id, says: 'yes' }, 'approver')).toMatchObject({
      ok: false,
      error: { code: 'forbidden' },
    });
    expect(operators.approvals.ask(request).kind).toBe('required');
    const approvers = bench(['approver']);
    expect(await answerAsk(approvers, { id: approvers.id, says: 'no' }, 'operator')).toMatchObject({
      ok: true,
      value: { state: 'refused' },
    });
    const viewer = bench();
    expect(await answerAsk(viewer, { id: viewer.id, says: 'yes' }, 'viewer')).toMatchObject({ ok: false });
  });

  test('does not count when it cannot be recorded', async () => {
    const parts = bench();
    await parts.store.close();
    await expect(answerAsk(parts, { id: parts.id, says: 'yes' }, 'operator')).rejects.toMatchObject({
      code: 'closed',
    });
    expect(parts.approvals.ask(request).kind).toBe('required');
  });

  test('is given once', async () => {
    const parts = bench();
    await answerAsk(parts, { id: parts.id, says: 'no' }, 'operator');
    expect(await answerAsk(parts, { id: parts.id, says: 'yes' }, 'operator')).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('is refused already') },
    });
    expect(await answerAsk(parts, { id: none, says: 'yes' }, 'operator')).toMatchObject({
      ok: false,
      error: { code: 'refused' },
    });
  });
});
