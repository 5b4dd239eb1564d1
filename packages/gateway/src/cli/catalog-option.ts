/** Option `--tools`, and those like it. */
import type { ToolCatalog } from '@pawl/core';
import { readCatalog } from '../config/index.js';
import type { CommandInput, Terminal } from './command.js';

/** The catalog of an option; undefined without the option; `bad` after the reason was told. */
export function toolsOption(
  input: CommandInput,
  terminal: Terminal,
  option: string = 'tools',
): ToolCatalog | 'bad' {
  const folder = input.text(option);
  if (folder === undefined) return undefined;
  const catalog = readCatalog(folder);
  if (catalog.ok) return catalog.tools;
  terminal.err(`${catalog.why}\n`);
  return 'bad';
}
