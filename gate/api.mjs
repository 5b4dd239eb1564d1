/** Compares what @pawl/core exports with the committed report; `--update` writes the report anew. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor';
import { root } from './root.mjs';

const folder = join(root, 'packages', 'core');
const report = join(folder, 'api', 'core.api.md');
const undocumented = /^\/\/ @public \(undocumented\)\n(.*)$/gmu;

/**
 * @param {boolean} update whether to replace the report
 * @returns {{ succeeded: boolean, changed: boolean }}
 */
function extract(update) {
  mkdirSync(join(folder, 'api'), { recursive: true });
  const config = ExtractorConfig.loadFileAndPrepare(join(folder, 'api-extractor.json'));
  const { succeeded, apiReportChanged } = Extractor.invoke(config, {
    localBuild: update,
    messageCallback: (message) => {
      message.handled = true;
      if (message.logLevel === ExtractorLogLevel.Error)
        console.error(message.formatMessageWithLocation(root));
    },
  });
  return { succeeded, changed: apiReportChanged };
}

/** @returns {string[]} exports without a word of documentation */
function undocumentedExports() {
  const text = existsSync(report) ? readFileSync(report, 'utf8') : '';
  return [...text.matchAll(undocumented)].map((match) => match[1] ?? '');
}

const update = process.argv.includes('--update');
const { succeeded, changed } = extract(update);
if (changed && !update) {
  console.error('the exports of @pawl/core are not those of packages/core/api/core.api.md;');
  console.error('look at the difference to packages/core/api/temp/core.api.md, then: npm run api:update');
}
const bare = update ? [] : undocumentedExports();
for (const line of bare) console.error(`exported without documentation: ${line}`);
process.exitCode = (update || !changed) && succeeded && bare.length === 0 ? 0 : 1;
