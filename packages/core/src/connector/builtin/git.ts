/** Connector `git`: @cyanheads/git-mcp-server; fields `path` (repository and files), `refs` and `remotes`. */
import type { Verb } from '../../authority/index.js';
import type { AccessRow, ConnectorTable, Source, ToolTable } from '../table.js';

const repository: Source = { argument: ['path'] };

/** Files and folders, meant from the repository. */
function files(...names: readonly string[]): readonly Source[] {
  return names.map((name) => ({ argument: [name], base: ['path'], argv: true }));
}

function words(...names: readonly string[]): readonly Source[] {
  return names.map((name) => ({ argument: [name], argv: true }));
}

/** What a tool names beside the repository. */
interface Named {
  readonly files?: readonly string[];
  readonly refs?: readonly string[];
  readonly remotes?: readonly string[];
  readonly payload?: readonly string[];
  /** Without a remote or a ref it takes those that the repository's configuration says: any. */
  readonly configured?: boolean;
}

/** One access a verb, of the repository with all in it, which carries the refs and remotes that the call names. */
function tool(verbs: readonly Verb[], named: Named = {}): ToolTable {
  const { files: inside = [], payload = [], configured = false } = named;
  const asked = Object.entries({ refs: named.refs, remotes: named.remotes }).flatMap(([field, names]) =>
    names === undefined ? [] : [[field, words(...names)] as const],
  );
  const fields = { path: [repository, ...files(...inside)], ...Object.fromEntries(asked) };
  const omission = configured ? 'everything' : 'bare';
  const omitted = Object.fromEntries(asked.map(([field]) => [field, omission] as const));
  const rows = verbs.map(
    (verb): AccessRow => ({ verb, extent: 'subtree', fields, omitted, needed: true, namedOnly: false }),
  );
  return { verb: verbs[0] ?? 'read', accesses: rows, payload };
}

/** Touches nothing that it could name. */
function bare(...payload: readonly string[]): ToolTable {
  return { verb: 'list', accesses: [], payload };
}

/**
 * Flags that force, delete, rewrite, mirror, publish more than is named, or skip hooks are not classed: a rule has to free or
 * constrain them.
 */
export const git: ConnectorTable = {
  name: 'git',
  version: 1,
  packages: ['@cyanheads/git-mcp-server'],
  fields: { path: { kind: 'path' }, refs: { kind: 'oneOf' }, remotes: { kind: 'oneOf' } },
  unlisted: 'refuse',
  tools: {
    git_status: tool(['read'], { payload: ['includeUntracked'] }),
    git_diff: tool(['read'], {
      files: ['paths'],
      refs: ['target', 'source'],
      payload: ['staged', 'includeUntracked', 'nameOnly', 'stat', 'contextLines', 'autoExclude'],
    }),
    git_log: tool(['read'], {
      files: ['filePath'],
      refs: ['branch'],
      payload: [
        'maxCount',
        'skip',
        'since',
        'until',
        'author',
        'grep',
        'oneline',
        'stat',
        'patch',
        'showSignature',
      ],
    }),
    git_show: tool(['read'], { files: ['filePath'], refs: ['object'], payload: ['format', 'stat'] }),
    git_blame: tool(['read'], { files: ['filePath'], payload: ['startLine', 'endLine', 'ignoreWhitespace'] }),
    git_reflog: tool(['read'], { refs: ['ref'], payload: ['maxCount'] }),
    git_changelog_analyze: tool(['read'], {
      refs: ['branch', 'sinceTag'],
      payload: ['reviewTypes', 'maxCommits', 'maxTags'],
    }),
    git_set_working_dir: tool(['list'], { payload: ['validateGitRepo'] }),
    git_clear_working_dir: bare('confirm'),
    git_wrapup_instructions: bare('acknowledgement', 'createTag'),
    git_init: tool(['write'], { refs: ['initialBranch'], payload: ['bare'] }),
    git_add: tool(['write'], { files: ['paths'], payload: ['update', 'all'] }),
    git_commit: tool(['write'], { files: ['filesToStage'], payload: ['message', 'author', 'allowEmpty'] }),
    git_branch: tool(['read', 'write'], {
      refs: ['branchName', 'newBranchName', 'startPoint', 'merged', 'noMerged'],
      payload: ['all', 'remote', 'limit'],
    }),
    git_tag: tool(['read', 'write'], {
      refs: ['tagName', 'commit'],
      payload: ['message', 'annotated', 'limit'],
    }),
    git_checkout: tool(['write'], { files: ['paths'], refs: ['target'], payload: ['createBranch', 'track'] }),
    git_merge: tool(['write'], {
      refs: ['branch'],
      payload: ['strategy', 'noFastForward', 'squash', 'message', 'abort'],
    }),
    git_rebase: tool(['write'], {
      refs: ['upstream', 'branch', 'onto'],
      payload: ['interactive', 'preserve'],
    }),
    git_cherry_pick: tool(['write'], {
      refs: ['commits'],
      payload: ['noCommit', 'continueOperation', 'abort', 'mainline', 'strategy', 'signoff'],
    }),
    git_reset: tool(['write'], { files: ['paths'], refs: ['target'], payload: ['confirmed'] }),
    git_stash: tool(['read', 'write'], {
      refs: ['stashRef'],
      payload: ['message', 'includeUntracked', 'keepIndex', 'limit'],
    }),
    git_clean: tool(['delete'], { payload: ['dryRun'] }),
    git_worktree: tool(['read', 'write'], {
      files: ['worktreePath', 'newPath'],
      refs: ['branch', 'commitish'],
      payload: ['detach', 'verbose', 'dryRun'],
    }),
    git_remote: tool(['read', 'write'], { remotes: ['name', 'newName', 'url'], payload: ['push'] }),
    git_clone: tool(['connect', 'write'], { remotes: ['url'], refs: ['branch'], payload: ['depth', 'bare'] }),
    git_fetch: tool(['connect', 'write'], { remotes: ['remote'], payload: ['depth'], configured: true }),
    git_pull: tool(['connect', 'write'], {
      remotes: ['remote'],
      refs: ['branch'],
      payload: ['fastForwardOnly'],
      configured: true,
    }),
    git_push: tool(['send', 'read'], {
      remotes: ['remote'],
      refs: ['branch', 'remoteBranch'],
      payload: ['setUpstream', 'dryRun', 'confirmed'],
      configured: true,
    }),
  },
};
