/** Every report that `decide` can be asked about. */
import { argumentReports } from './arguments.js';
import { commandReports } from './commands.js';
import { indirectReports } from './indirect.js';
import { loadReports } from './loading.js';
import { messageReports } from './messages.js';
import { pathReports } from './paths.js';
import { precedenceReports } from './precedence.js';
import { shellReports } from './shells.js';
import type { Telling } from './story.js';
import { urlReports } from './urls.js';
import { windowsReports } from './windows.js';

/** Report to scenario. */
export const toldReports: Readonly<Record<string, Telling>> = {
  ...pathReports,
  ...commandReports,
  ...shellReports,
  ...indirectReports,
  ...windowsReports,
  ...urlReports,
  ...argumentReports,
  ...messageReports,
  ...loadReports,
  ...precedenceReports,
};
