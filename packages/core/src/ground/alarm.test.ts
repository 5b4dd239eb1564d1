import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemAlarm } from './index.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const month = 30 * 86_400_000;

test('rings when the time has come, be it months, and not after it was told not to', () => {
  const rung: string[] = [];
  systemAlarm.after(month, () => rung.push('month'));
  systemAlarm.after(Infinity, () => rung.push('never'));
  const stop = systemAlarm.after(2 * month, () => rung.push('stopped'));
  vi.advanceTimersByTime(month - 1);
  expect(rung).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(rung).toEqual(['month']);
  stop();
  vi.advanceTimersByTime(3 * month);
  expect(rung).toEqual(['month']);
});
