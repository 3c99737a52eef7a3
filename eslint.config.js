import { readFileSync } from 'node:fs';
import { defineConfig } from 'eslint/config';
import { configs as lit } from 'eslint-plugin-lit';
import { configs as wc } from 'eslint-plugin-wc';
import tseslint from 'typescript-eslint';

/**
 * The compiler already refuses an upward import and a global that a room does not have (each room's tsconfig.json).
 * This file says the same things in the editor, in words that tell what to do instead, and holds what a type cannot say.
 */
const staircase = JSON.parse(readFileSync(new URL('test/architecture/layers.json', import.meta.url), 'utf8'));

const floor = (room) => room.slice(room.lastIndexOf('/') + 1);
const filesOf = (room) => (room === 'src' ? ['src/*.ts'] : [`${room}/**/*.ts`]);

const NAMED_EXPORTS = [
  { selector: 'ExportDefaultDeclaration', message: 'Export it by name, so that one word finds it everywhere.' },
];

// What the language lets you write and this house does not.
const LANGUAGE = [
  { selector: 'TSEnumDeclaration', message: 'Write a union of string literals, or a frozen list `as const`.' },
  {
    selector: 'TSModuleDeclaration[kind="namespace"]',
    message: 'A file is the namespace: export its parts by name.',
  },
  { selector: 'TSParameterProperty', message: 'Declare the field and assign it in the constructor.' },
  {
    selector: 'CatchClause > BlockStatement[body.length=0]',
    message: 'An empty catch hides a bug: return what the failure means, or do not catch.',
  },
];

// A name that a search finds, and that the bundler and the test of the staircase can follow.
const FOLLOWED = [
  { selector: 'ImportExpression[source.type!="Literal"]', message: 'Spell out each file that may be imported.' },
];

// The clock and chance come in as arguments, so that the same input always gives the same answer.
const PURE = [
  { selector: 'NewExpression[callee.name="Date"][arguments.length=0]', message: 'Take the time as an argument.' },
  {
    selector: 'CallExpression[callee.object.name="Date"][callee.property.name="now"]',
    message: 'Take the time as an argument.',
  },
  {
    selector: 'CallExpression[callee.object.name="Math"][callee.property.name="random"]',
    message: 'Take the random source as an argument.',
  },
];

// What a strict content security policy of the host page refuses, or what would run a stranger's text.
const TEMPLATES = [
  {
    selector: 'TaggedTemplateExpression[tag.name=/^(html|svg)$/] TemplateElement[value.raw=/\\sstyle\\s*=/i]',
    message:
      'A strict CSP drops style attributes (styleMap too): write a rule in static styles and switch a class, a state, or a custom property with style.setProperty().',
  },
  {
    selector: 'TaggedTemplateExpression TemplateElement[value.raw=/\\.(inner|outer)HTML\\s*=/i]',
    message: 'Render a template or text: lit escapes what it binds.',
  },
  {
    selector: 'MemberExpression[property.name=/^(innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe)$/]',
    message: 'Render a template or set textContent: markup from a string can carry a script.',
  },
];

const FOCUSED_TESTS = [
  {
    selector:
      'MemberExpression[object.name=/^(it|test|describe|suite|context|t)$/][property.name=/^(only|skip|todo|runOnly)$/]',
    message: 'Every test runs, every time: fix it or delete it.',
  },
  {
    selector:
      'CallExpression[callee.name=/^(it|test|describe|suite)$/] > ObjectExpression > Property[key.name=/^(only|skip|todo)$/]',
    message: 'Every test runs, every time: fix it or delete it.',
  },
];

const syntax = (...lists) => ({ 'no-restricted-syntax': ['error', ...LANGUAGE, ...lists.flat()] });

const globals = (names, message) => ({
  'no-restricted-globals': ['error', ...names.map((name) => ({ name, message }))],
});

const PAGE = ['window', 'self', 'document', 'navigator', 'location', 'history', 'localStorage', 'sessionStorage'];
const STORAGE = ['indexedDB', 'caches'];
const NODE = ['process', 'Buffer', 'require', 'module', 'global', '__dirname', '__filename', 'setImmediate'];
const NETWORK = ['fetch', 'XMLHttpRequest', 'WebSocket', 'EventSource'];
const TIME = ['performance', 'setTimeout', 'setInterval', 'crypto'];

const noNode = 'Node exists only in src/proxy/node: pass what you need as an option.';

const ROOM_GLOBALS = {
  'src/domain': globals(
    [...PAGE, ...STORAGE, ...NODE, ...NETWORK, ...TIME],
    'The domain is pure: take what you need as an argument.',
  ),
  'src/contract': globals(
    [...PAGE, ...STORAGE, ...NODE, ...NETWORK],
    'A contract only describes what crosses a wire: leave the act to client or proxy.',
  ),
  'src/locales': globals([...PAGE, ...STORAGE, ...NODE, ...NETWORK], 'A dictionary only turns values into words.'),
  'src/client': globals(
    [...NODE, ...NETWORK],
    'The one door to the network is src/client/api/http.ts; Node exists only in src/proxy/node.',
  ),
  'src/elements': globals(
    [...NETWORK, ...STORAGE, 'localStorage', 'sessionStorage', ...NODE],
    'Elements read a snapshot and dispatch an intent: let src/client fetch and store.',
  ),
  src: globals(NODE, noNode),
  'src/proxy': globals(
    [...PAGE, ...STORAGE, ...NODE],
    'The proxy is web-standard: use Request, Response and its options.',
  ),
  'src/sandbox': globals(
    [...PAGE, ...STORAGE, ...NODE],
    'The sandbox is web-standard: use Request, Response and its options.',
  ),
};

/** One rule for a room: which floors it may step on, which packages it may open. */
function roomImports(room, { rooms, packages }) {
  const reachable = [room, ...rooms].map(floor);
  const closed = [...Object.keys(staircase), 'demo', 'test'].map(floor).filter((name) => !reachable.includes(name));
  const patterns = [
    {
      regex: `^\\..*/(?:${closed.join('|')})/`,
      message: `Imports only go down: ${room} may use ${rooms.join(', ') || 'no other room'}. Move the code, or take it as an argument.`,
    },
  ];
  if (!packages.includes('*')) {
    const open = packages.map((name) => `${name}$|${name}/`).join('|') || '$^';
    patterns.push({
      regex: `^(?![.])(?!${open})`,
      message: `${room} may import ${packages.join(', ') || 'no package'}. lit belongs in src/elements, ky in src/client, node:* and drivers in src/proxy/node; zod is imported as zod/mini.`,
    });
  }
  if (room === 'src/client' || room === 'src/elements' || room === 'src') {
    patterns.push({
      regex: '/contract/portal\\.js$',
      message: "The portal's wire is the proxy's: use contract/widget.",
    });
  }
  if (room === 'src/elements') {
    patterns.push({
      regex: '/(unsafe-[a-z]+|static-html)\\.js$',
      message: 'Render a template or text: lit escapes what it binds.',
    });
  }
  return { 'no-restricted-imports': ['error', { patterns }] };
}

// Rules about one line at a time; the formatter owns the looks.
const EVERYWHERE = {
  eqeqeq: 'error',
  'no-constant-condition': 'error',
  'no-control-regex': 'off',
  'no-empty': 'error',
  'no-eval': 'error',
  'no-fallthrough': 'error',
  'no-implied-eval': 'error',
  'no-new-func': 'error',
  'no-self-assign': 'error',
  'no-self-compare': 'error',
  'no-unreachable-loop': 'error',
  'no-unsafe-finally': 'error',
  'no-useless-escape': 'error',
  'no-var': 'error',
  'object-shorthand': 'error',
  'prefer-const': 'error',
  '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
};

// Only the rules that need types and find bugs: the rest of the type-aware presets argues about taste.
const TYPED = {
  '@typescript-eslint/await-thenable': 'error',
  '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
  '@typescript-eslint/no-floating-promises': [
    'error',
    {
      allowForKnownSafeCalls: [
        { from: 'package', package: 'node:test', name: ['after', 'describe', 'it', 'suite', 'test'] },
        // A plain assertion: its types claim a promise.
        { from: 'package', package: 'chai', name: 'Equal' },
      ],
    },
  ],
  '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
  '@typescript-eslint/no-unsafe-argument': 'error',
  '@typescript-eslint/no-unsafe-assignment': 'error',
  '@typescript-eslint/no-unsafe-call': 'error',
  '@typescript-eslint/no-unsafe-member-access': 'error',
  '@typescript-eslint/no-unsafe-return': 'error',
  '@typescript-eslint/only-throw-error': 'error',
  '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
};

// A function fits a screen. A dictionary is one object, however long.
const A_SCREEN = { max: 80, skipBlankLines: true, skipComments: true };

// They are longer today. The list may only shrink.
const LONG_FUNCTIONS = [
  'src/locales/*.ts',
  'src/proxy/outbox/sql/sql-outbox.ts',
  'src/proxy/outbox/sql/tables/schema.ts',
];

const roomConfigs = Object.entries(staircase).map(([room, doors]) => ({
  files: filesOf(room),
  ignores: Object.keys(staircase)
    .filter((other) => other.startsWith(`${room}/`))
    .flatMap(filesOf),
  rules: {
    ...roomImports(room, doors),
    ...ROOM_GLOBALS[room],
    'max-lines-per-function': ['error', A_SCREEN],
  },
}));

export default defineConfig(
  { ignores: ['dist/', 'coverage/', 'test/hosts/apps/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  tseslint.configs.strict,
  { rules: { ...EVERYWHERE, ...syntax(NAMED_EXPORTS) } },
  {
    files: ['{src,demo,test}/**/*.ts'],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: TYPED,
  },
  ...roomConfigs,
  { files: LONG_FUNCTIONS, rules: { 'max-lines-per-function': 'off' } },
  { files: ['src/client/api/http.ts'], rules: globals(NODE, noNode) },
  { files: ['src/**/*.ts'], rules: syntax(NAMED_EXPORTS, FOLLOWED) },
  { files: ['src/domain/**/*.ts'], rules: syntax(NAMED_EXPORTS, FOLLOWED, PURE) },
  {
    files: ['src/elements/**/*.ts'],
    extends: [lit['flat/recommended'], wc['flat/recommended']],
    settings: { wc: { elementBaseClasses: ['LitElement'] } },
    rules: {
      ...syntax(NAMED_EXPORTS, FOLLOWED, TEMPLATES),
      'lit/lifecycle-super': 'error',
      'lit/no-classfield-shadowing': 'error',
      'lit/no-legacy-imports': 'error',
      'lit/no-template-bind': 'error',
      'lit/no-this-assign-in-render': 'error',
      'lit/no-useless-template-literals': 'error',
      'lit/no-value-attribute': 'error',
      'lit/prefer-static-styles': 'error',
      'lit/quoted-expressions': 'error',
      'lit/value-after-constraints': 'error',
      'wc/no-closed-shadow-root': 'error',
      'wc/no-constructor-params': 'error',
      'wc/no-invalid-extends': 'error',
      'wc/no-typos': 'error',
      'wc/require-listener-teardown': 'error',
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { ...syntax(NAMED_EXPORTS, FOCUSED_TESTS), '@typescript-eslint/no-non-null-assertion': 'off' },
  },
  {
    files: ['test/{client,elements}/**/*.ts'],
    rules: {
      // `expect(element).to.be.accessible` reads as an expression and is an assertion.
      '@typescript-eslint/no-unused-expressions': 'off',
      'no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@open-wc/testing',
              importNames: ['aTimeout'],
              message: 'Wait for the thing itself: waitUntil, oneEvent or updateComplete.',
            },
          ],
        },
      ],
    },
  },
  // A tool insists on a default export here.
  {
    files: ['*.config.{js,ts}', 'test/support/*.config.ts', 'test/support/*-reporter.ts'],
    rules: syntax(),
  },
);
