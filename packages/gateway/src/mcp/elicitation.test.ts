import { describe, expect, test } from 'vitest';
import { Questions, saidIn, showsQuestions } from './elicitation.js';

test.each([
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { form: {}, url: {} } }, true],
  [{ elicitation: { url: {} } }, false],
  [{ elicitation: true }, false],
  [{ elicitation: null }, false],
  [{ sampling: {} }, false],
  [{}, false],
  [undefined, false],
  ['elicitation', false],
])('[P.ask.fallback] a client with the capabilities %j shows questions: %s', (capabilities, shows) => {
  expect(showsQuestions(capabilities)).toBe(shows);
});

test.each([
  [{ action: 'accept' }, 'yes'],
  [{ action: 'accept', content: {} }, 'yes'],
  [{ action: 'decline' }, 'no'],
  [{ action: 'cancel' }, 'no'],
  [{ action: 'ACCEPT' }, undefined],
  [{ content: {} }, undefined],
  ['accept', undefined],
  [undefined, undefined],
])('[P.ask.client] the answer %j says %s', (result, says) => {
  expect(saidIn(result)).toBe(says);
});

describe('[P.ask.client] a question', () => {
  function asked() {
    const told: { id?: string; method: string; params: { requestId?: string } }[] = [];
    const questions = new Questions();
    const over = new AbortController();
    const said = questions.ask({
      params: { message: 'm' },
      tell: (text) => void told.push(JSON.parse(text) as never),
      signal: over.signal,
    });
    return { told, questions, over, said, id: told[0]?.id ?? '' };
  }

  test('is answered once, by its id alone', async () => {
    const { questions, said, id, told } = asked();
    expect(told).toMatchObject([{ method: 'elicitation/create', params: { message: 'm' } }]);
    expect([questions.isAwaited(id), questions.isAwaited('other')]).toEqual([true, false]);
    questions.take({ kind: 'response', id: 'other', result: { action: 'accept' } });
    questions.take({ kind: 'response', id, result: { action: 'decline' } });
    expect(await said).toBe('no');
    expect(questions.isAwaited(id)).toBe(false);
  });

  test('that the client cannot show is answered by nobody', async () => {
    const { questions, said, id } = asked();
    questions.take({ kind: 'response', id, result: undefined });
    expect(await said).toBeUndefined();
  });

  test('that is taken back tells the client so, and a late answer to it is nothing', async () => {
    const { questions, over, said, id, told } = asked();
    over.abort();
    expect(await said).toBeUndefined();
    expect(told[1]).toMatchObject({ method: 'notifications/cancelled', params: { requestId: id } });
    expect(questions.isAwaited(id)).toBe(true);
    questions.take({ kind: 'response', id, result: { action: 'accept' } });
    expect(questions.isAwaited(id)).toBe(false);
  });
});
