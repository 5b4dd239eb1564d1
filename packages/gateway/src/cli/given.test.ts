import { describe, expect, test } from 'vitest';
import { type SecretReader, givenTo } from './given.js';

const values: Record<string, string> = {};
const store: SecretReader = {
  read: (name) => {
    const value = values[name];
    return value === undefined ? { ok: false, why: `the secret ${name} is not stored` } : { ok: true, value };
  },
};

describe('[P.secrets.missing] what a server is given', () => {
  test('is the texts of its entry and the values of its secrets, as they are at each ask', () => {
    values['a'] = 'value-of-a';
    const env = { LEVEL: 'warn', A: { secret: 'a' }, ['__proto__']: { secret: 'a' } };
    const given = givenTo({ env, headers: {}, auth: undefined }, store);
    expect(given.env()).toEqual({ LEVEL: 'warn', A: 'value-of-a', ['__proto__']: 'value-of-a' });
    values['a'] = 'later-value';
    expect(given.env()).toMatchObject({ A: 'later-value' });
    expect(given.redactor.text('value-of-a later-value warn')).toBe('[secret] [secret] warn');
    expect([
      given.isSecret,
      givenTo({ env: { A: 'b' }, headers: {}, auth: undefined }, store).isSecret,
    ]).toEqual([true, false]);
  });

  test('is nothing at all while one of them is not there', () => {
    const headers = { one: 'here', authorization: { secret: 'gone' } };
    expect(givenTo({ env: {}, headers, auth: undefined }, store).headers()).toBe(
      'the secret gone is not stored',
    );
  });

  test('is no header that another value could end, or that servers read differently', () => {
    for (const value of ['pässword', 'a\r\nX-Admin: 1', 'a\u0000bcdef', ' leading', 'trailing ', '']) {
      values['h'] = value;
      const given = givenTo({ env: {}, headers: { 'x-key': { secret: 'h' } }, auth: undefined }, store);
      expect(given.headers()).toContain('cannot be the value of the header x-key');
      expect(given.headers()).not.toContain(value === '' ? '\u0000' : value);
    }
  });
});
