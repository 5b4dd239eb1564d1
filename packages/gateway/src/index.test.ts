/** The package's own door. */
import * as core from '@pawl/core';
import { expect, test } from 'vitest';
import * as pawl from './index.js';

test('the gateway exports everything that core exports', () => {
  expect(Object.keys(pawl)).toEqual(expect.arrayContaining(Object.keys(core)));
});
