/** `npm test`: everything from a bare clone: install, system packages where possible, then the whole gate. */
import { install } from './ready.mjs';
import { installSystemPackages } from './system-packages.mjs';

install();
installSystemPackages();
await import('../gate/run.mjs');
