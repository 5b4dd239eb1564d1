/** The direction of imports: who may know whom. Folders are known by their door, index.ts. */

const CORE = 'packages/core/src';
const GATEWAY = 'packages/gateway/src';
const TEST = '\\.test\\.ts$';

const beside = ['vat', 'consent', 'limit', 'audit'];
const pure = ['authority', 'connector', 'ceiling', 'policy'];
const above = ['capability', 'handle', 'skill', 'dispatch', 'reload'];

/** Room of core -> rooms that it may know. */
function coreRooms() {
  const rooms = new Map([['ground', []]]);
  for (const room of beside) rooms.set(room, ['ground']);
  pure.forEach((room, floor) => rooms.set(room, ['ground', ...pure.slice(0, floor)]));
  above.forEach((room, floor) => rooms.set(room, ['ground', ...beside, ...pure, ...above.slice(0, floor)]));
  return rooms;
}

/** Room of the gateway -> rooms that it may know; cli joins them all, and stores reach the others as ports. */
const gatewayRooms = new Map([
  ['store', []],
  ['config', []],
  ['identity', []],
  ['sandbox', []],
  ['power', ['sandbox']],
  ['compartment', ['sandbox', 'power']],
  ['mcp', ['config', 'identity', 'sandbox', 'power']],
  ['control', ['config', 'identity']],
  ['review', ['config']],
  ['cli', ['store', 'config', 'identity', 'sandbox', 'power', 'compartment', 'mcp', 'control', 'review']],
]);

/** Files that are a second door of their room: file -> who may open it, beside files of the room itself. */
const secondDoors = [
  {
    file: `${CORE}/vat/send.ts`,
    users: [`^${CORE}/dispatch/`, `^${CORE}/index\\.ts$`, `^${CORE}/vat/(?!index\\.ts$)`],
  },
  { file: `${CORE}/policy/set-current.ts`, users: [`^${CORE}/reload/`] },
];

function roomRules(base, rooms, extra) {
  return [...rooms].map(([room, known]) => ({
    name: `${base.includes('core') ? 'core' : 'gateway'}-${room}`,
    comment: `${room} may know ${known.length > 0 ? known.join(', ') : 'no other room'}, through index.ts only`,
    severity: 'error',
    from: { path: `^${base}/${room}/`, pathNot: TEST },
    to: {
      path: `^${base}/`,
      pathNot: [
        `^${base}/${room}/`,
        ...(known.length > 0 ? [`^${base}/(${known.join('|')})/index\\.ts$`] : []),
        ...(extra[room] ?? []),
      ],
    },
  }));
}

function secondDoorRules() {
  return secondDoors.map(({ file, users }) => ({
    name: `second-door-${file.split('/').at(-1)}`,
    comment: `${file} is opened by ${users.join(', ')} only`,
    severity: 'error',
    from: { path: '^packages/', pathNot: [...users, TEST] },
    to: { path: `^${file.replaceAll('.', '\\.')}$` },
  }));
}

function rule(name, comment, from, to) {
  return { name, comment, severity: 'error', from, to };
}

const core = coreRooms();
const known = (rooms) => [...rooms.keys()].join('|');

module.exports = {
  forbidden: [
    rule('no-cycle', 'no file imports itself, however far around', {}, { circular: true }),
    rule('no-unresolved', 'every import leads somewhere', {}, { couldNotResolve: true }),
    rule('no-test-in-source', 'source never imports a test', { pathNot: TEST }, { path: TEST }),
    rule(
      'core-unknown-room',
      'core has the rooms of the design and no other',
      { path: `^${CORE}/` },
      { path: `^${CORE}/(?!(${known(core)})/|index\\.ts$)` },
    ),
    rule(
      'gateway-unknown-room',
      'the gateway has the rooms of the design and no other',
      { path: `^${GATEWAY}/` },
      { path: `^${GATEWAY}/(?!(${known(gatewayRooms)})/|index\\.ts$)` },
    ),
    ...roomRules(CORE, core, {
      dispatch: [`^${CORE}/vat/send\\.ts$`],
      reload: [`^${CORE}/policy/set-current\\.ts$`],
    }),
    ...roomRules(GATEWAY, gatewayRooms, {}),
    ...secondDoorRules(),
    rule(
      'core-door',
      'core/index.ts knows rooms by their doors, and send',
      { path: `^${CORE}/index\\.ts$` },
      { path: `^${CORE}/`, pathNot: [`^${CORE}/[^/]+/index\\.ts$`, `^${CORE}/vat/send\\.ts$`] },
    ),
    rule(
      'core-closed',
      'core imports nothing outside itself',
      { path: `^${CORE}/`, pathNot: TEST },
      { pathNot: `^${CORE}/`, dependencyTypesNot: ['core', 'unknown'] },
    ),
    rule(
      'core-node',
      'core holds no power of Node',
      { path: `^${CORE}/`, pathNot: [`^${CORE}/ground/`, `^${CORE}/skill/signature\\.ts$`, TEST] },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'core-crypto',
      'ground and skill/signature use node:crypto and no other part of Node',
      { path: `^${CORE}/(ground/|skill/signature\\.ts$)`, pathNot: TEST },
      { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    ),
    rule(
      'gateway-review-node',
      'review and the door hold no power of Node',
      { path: `^${GATEWAY}/(review/|index\\.ts$)`, pathNot: TEST },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'gateway-locked-realm',
      'only the processes of compartments are locked down, and only they know the libraries for it',
      {
        path: `^${GATEWAY}/`,
        pathNot: [`^${GATEWAY}/compartment/(lock|run-process|load-process|parsers)\\.ts$`],
      },
      { path: '(^|/)node_modules/(ses|@endo)/' },
    ),
    rule(
      'gateway-locked-entries',
      'nobody imports what locks its realm down but the two entries of processes',
      {
        path: `^${GATEWAY}/`,
        pathNot: [`^${GATEWAY}/compartment/(lock|endow|parsers|(run|load)-process)\\.ts$`],
      },
      { path: `^${GATEWAY}/compartment/(lock|endow|parsers|stdio|(run|load)-process)\\.ts$` },
    ),
    rule(
      'gateway-core-by-name',
      'the gateway knows core as @pawl/core',
      { path: `^${GATEWAY}/` },
      { path: '^packages/core/', dependencyTypesNot: ['aliased-workspace'] },
    ),
    rule(
      'gateway-core-door',
      'the gateway knows core by its door',
      { path: `^${GATEWAY}/` },
      { path: '^packages/core/', pathNot: '^packages/core/(src/index\\.ts|dist/index\\.(js|d\\.ts))$' },
    ),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '(^|/)dist/'] },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['pawl-source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.mts', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
