/** The git table: against the tools that the real server lists, and what its calls are answered. */
import { describe, expect, test } from 'vitest';
import { classedBy, listedBy } from '../../../../../test/drift.js';
import { type Gate, type Tools, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { git } from './git.js';

/** Flags and modes that force, delete or widen: rules have to free or constrain them. */
const unclassed: Readonly<Record<string, readonly string[]>> = {
  git_add: ['force'],
  git_branch: ['force', 'mode'],
  git_checkout: ['force'],
  git_clean: ['directories', 'force', 'ignored'],
  git_clone: ['mirror'],
  git_commit: ['amend', 'noVerify'],
  git_fetch: ['prune', 'tags'],
  git_pull: ['rebase'],
  git_push: ['delete', 'force', 'forceWithLease', 'tags'],
  git_rebase: ['mode'],
  git_remote: ['mode'],
  git_reset: ['mode'],
  git_set_working_dir: ['initializeIfNotPresent'],
  git_stash: ['mode'],
  git_tag: ['force', 'mode'],
  git_worktree: ['force', 'mode'],
};

describeWithShared('the table of git', 'data/mcp-tools', (folder) => {
  test('[S002.table-drift] lists exactly the tools of the server, and classes all their arguments but modes and flags', () => {
    expect(classedBy(git, unclassed)).toEqual(listedBy(folder, git.packages[0] ?? ''));
  });
});

const text = { type: 'string' };
const flag = { type: 'boolean', default: false };
const path = { type: 'string', default: '.' };
const open = (properties: object): Tools[string][string] => ({
  type: 'object',
  properties: { path, ...properties },
});
const tools: Tools = {
  repo: {
    git_status: open({}),
    git_log: open({ branch: text, filePath: text }),
    git_add: open({ paths: { type: 'array', items: text, default: [] }, force: flag }),
    git_push: open({ remote: text, branch: text, remoteBranch: text, force: flag }),
    git_commit: open({ message: text, noVerify: flag }),
  },
};

function allowing(...wheres: readonly string[]): Gate {
  const allow = wheres.map((where) => `{ tools: ["repo/*"], where: ${where} }`).join(', ');
  return gate(
    `pawl: 1\nservers: { repo: { command: x, connector: git, root: /src/app } }\nagents: { a: { allow: [ ${allow} ] } }\n`,
    tools,
  );
}

describe('[P.connector.git] calls of a git server', () => {
  test('are bounded by the repository, whose default is forwarded as what was judged', () => {
    const own = allowing('{ path: /src/app/** }');
    expect(own.call('repo/git_status').args).toEqual({ path: '/src/app' });
    expect(own.permits('repo/git_status', { path: '/src/app/lib' })).toBe(true);
    expect(own.permits('repo/git_status', { path: '/src' })).toBe(false);
    expect(own.permits('repo/git_commit', { message: 'see /etc/passwd' })).toBe(true);
  });

  test('name files from the repository', () => {
    const own = allowing('{ path: /src/app/** }');
    expect(own.permits('repo/git_add', { paths: ['a', 'lib/b'] })).toBe(true);
    expect(own.permits('repo/git_add', { paths: ['a', '../other/b'] })).toBe(false);
    expect(own.permits('repo/git_log', { filePath: '/etc/passwd' })).toBe(false);
    expect(own.permits('repo/git_add', { paths: ['--pathspec-from-file=x'] })).toBe(false);
  });

  test('carry refs and remotes where the call names them', () => {
    const some = allowing('{ path: /src/app/**, refs: [main, next] }', '{ path: /src/app/** }');
    expect(some.permits('repo/git_log', { branch: 'other' })).toBe(true);
    const refs = allowing('{ path: /src/app/**, refs: [main, next] }');
    expect(refs.permits('repo/git_log', { branch: 'main' })).toBe(true);
    expect(refs.permits('repo/git_log', { branch: 'other' })).toBe(false);
    expect(refs.permits('repo/git_log', {})).toBe(false);
    expect(refs.permits('repo/git_log', { branch: '--output=/etc/x' })).toBe(false);
  });

  test('push to a remote that is named or filled, and never to any that the configuration says', () => {
    const push = allowing('{ path: /src/app/**, remotes: [origin], refs: [main, next] }');
    expect(push.permits('repo/git_push', { remote: 'origin', branch: 'main' })).toBe(true);
    expect(push.call('repo/git_push', { branch: 'main' })).toMatchObject({
      decision: 'permit',
      filled: ['args.remote'],
    });
    expect(push.permits('repo/git_push', { remote: 'https://m.example/x', branch: 'main' })).toBe(false);
    expect(push.permits('repo/git_push', { remote: 'origin', branch: 'main', remoteBranch: 'prod' })).toBe(
      false,
    );
    expect(push.permits('repo/git_push', { remote: 'origin' })).toBe(false);
  });

  test('force and skip hooks only where a rule frees it', () => {
    const own = allowing('{ path: /src/app/** }');
    expect(own.call('repo/git_commit', { message: 'x', noVerify: true })).toMatchObject({
      constraint: 'args.noVerify',
    });
    expect(own.permits('repo/git_push', { remote: 'origin', branch: 'main', force: true })).toBe(false);
    const forced = allowing('{ path: /src/app/**, args.force: any, rest: any }');
    expect(forced.permits('repo/git_push', { remote: 'origin', branch: 'main', force: true })).toBe(true);
  });
});
