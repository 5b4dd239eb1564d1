/** Every promise of the design as data: what is built is cited by at least one test, what is planned by none. */
import { seeds } from './requirements/seeds.js';
import { authority } from './requirements/authority.js';
import { house } from './requirements/house.js';
import { callers } from './requirements/callers.js';
import { dispatch } from './requirements/dispatch.js';
import { asking } from './requirements/asking.js';
import { reloading } from './requirements/reloading.js';
import { names } from './requirements/names.js';
import { surfaces } from './requirements/surfaces.js';
import { operating } from './requirements/operating.js';
import { measured } from './requirements/measured.js';
import { policy } from './requirements/policy.js';
import type { Requirement } from './requirements/requirement.js';

/** All promises, in the order of the design's pages. */
export const requirements: readonly Requirement[] = [
  ...seeds,
  ...authority,
  ...house,
  ...callers,
  ...dispatch,
  ...asking,
  ...reloading,
  ...names,
  ...surfaces,
  ...operating,
  ...policy,
  ...measured,
];
