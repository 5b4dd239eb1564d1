/** Options that some programs take before their subcommand: a closed table (POLICY section 4, command). */

/** The global options of one program. */
export interface GlobalOptions {
  /** Options without a value; one that ends in `*` is any word that begins so. */
  readonly flags: readonly string[];
  /** Options whose value is the next word or, of long ones, stands behind `=`. */
  readonly valued: readonly string[];
  /** Whether the value of a short option may stand right behind it, as `-nkube-system` or `-n=kube-system`. */
  readonly attached: boolean;
}

/**
 * By program. Options that make the program run something of the caller's (`git -c`, `--exec-path`, `cargo --config`) are not
 * in it, so that a command with one of them has no subcommand that could be granted.
 */
export const globalOptions: ReadonlyMap<string, GlobalOptions> = new Map([
  [
    'git',
    {
      flags: [
        '--no-pager',
        '-P',
        '-p',
        '--paginate',
        '--bare',
        '--no-replace-objects',
        '--no-optional-locks',
        '--no-lazy-fetch',
        '--no-advice',
        '--literal-pathspecs',
        '--glob-pathspecs',
        '--noglob-pathspecs',
        '--icase-pathspecs',
        '-v',
        '--version',
        '-h',
        '--help',
      ],
      valued: ['-C', '--git-dir', '--work-tree', '--namespace', '--attr-source'],
      attached: false,
    },
  ],
  [
    'npm',
    {
      flags: [
        '-g',
        '--global',
        '-s',
        '--silent',
        '-q',
        '--quiet',
        '-d',
        '--verbose',
        '-ws',
        '--workspaces',
        '--json',
        '--offline',
        '--prefer-offline',
        '--dry-run',
        '-y',
        '--yes',
        '-l',
        '--long',
        '-v',
        '--version',
        '-h',
        '--help',
      ],
      valued: ['--prefix', '-C', '--workspace', '-w', '--loglevel'],
      attached: false,
    },
  ],
  [
    'docker',
    {
      flags: ['-D', '--debug', '--tls', '--tlsverify', '-v', '--version', '-h', '--help'],
      valued: [
        '-H',
        '--host',
        '-c',
        '--context',
        '--config',
        '-l',
        '--log-level',
        '--tlscacert',
        '--tlscert',
        '--tlskey',
      ],
      attached: true,
    },
  ],
  [
    'kubectl',
    {
      flags: [
        '--insecure-skip-tls-verify',
        '--match-server-version',
        '--warnings-as-errors',
        '--disable-compression',
        '-h',
        '--help',
      ],
      valued: [
        '-n',
        '--namespace',
        '--context',
        '--cluster',
        '--user',
        '--kubeconfig',
        '-s',
        '--server',
        '--as',
        '--as-group',
        '--as-uid',
        '--token',
        '--request-timeout',
        '--cache-dir',
        '--certificate-authority',
        '--client-certificate',
        '--client-key',
        '--tls-server-name',
        '-v',
        '--v',
      ],
      attached: true,
    },
  ],
  [
    'cargo',
    {
      flags: [
        '+*',
        '-v',
        '-vv',
        '--verbose',
        '-q',
        '--quiet',
        '--frozen',
        '--locked',
        '--offline',
        '--list',
        '-V',
        '--version',
        '-h',
        '--help',
      ],
      valued: ['--color', '-C'],
      attached: false,
    },
  ],
  ['go', { flags: [], valued: ['-C'], attached: false }],
  ['gh', { flags: ['--version', '-h', '--help'], valued: ['-R', '--repo'], attached: true }],
]);
