import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { code, table } from './markdown.js';

interface Described {
  readonly name: string;
  readonly description?: string;
  readonly type?: { readonly text: string };
  readonly default?: string;
}

interface Attribute extends Described {
  readonly fieldName?: string;
}

interface Member extends Described {
  readonly kind: 'field' | 'method';
  readonly attribute?: string;
}

/** What the custom-elements manifest says of one element (https://github.com/webcomponents/custom-elements-manifest). */
interface ElementDeclaration {
  readonly tagName: string;
  readonly description: string;
  readonly attributes: readonly Attribute[];
  readonly members: readonly Member[];
  readonly events: readonly Described[];
  readonly slots?: readonly Described[];
  readonly cssParts?: readonly Described[];
  readonly cssStates?: readonly Described[];
  readonly cssProperties: readonly Described[];
}

interface Manifest {
  readonly modules: readonly { readonly declarations: readonly ElementDeclaration[] }[];
}

const FOLDER = 'dist/manifest';
const ANALYZER = 'node_modules/@custom-elements-manifest/analyzer/cem.js';

let kept: Manifest | undefined;

/** The custom-elements manifest, made from the sources of the elements. */
export function elementsManifest(): Manifest {
  if (kept !== undefined) return kept;
  const words = ['analyze', '--config', '.ci/custom-elements.config.js', '--outdir', FOLDER, '--quiet'];
  execFileSync(process.execPath, [ANALYZER, ...words], { stdio: 'pipe' });
  kept = JSON.parse(readFileSync(join(FOLDER, 'custom-elements.json'), 'utf8')) as Manifest;
  return kept;
}

/** Custom data for VS Code, which completes tags and attributes in HTML. */
export function htmlCustomData(): unknown {
  return {
    version: 1.1,
    tags: elements().map(({ tagName, description, attributes }) => ({
      name: tagName,
      description: plain(description),
      attributes: attributes.map(({ name, description: meaning = '', type }) => ({
        name,
        description: plain(meaning),
        ...valuesOf(type?.text),
      })),
    })),
  };
}

/** Web types, by which editors of JetBrains complete tags, attributes, properties and events. */
export function webTypes(): unknown {
  const { name, version } = JSON.parse(readFileSync('package.json', 'utf8')) as Readonly<Record<string, string>>;
  return {
    $schema: 'https://raw.githubusercontent.com/JetBrains/web-types/master/schema/web-types.json',
    name,
    version,
    'description-markup': 'markdown',
    contributions: {
      html: {
        elements: elements().map(({ tagName, description, attributes, members, events, slots = [], ...css }) => ({
          name: tagName,
          description: plain(description),
          attributes: attributes.map(({ name: attribute, description: meaning, type }) => ({
            name: attribute,
            description: plain(meaning),
            value: { type: type?.text ?? 'string' },
          })),
          slots: slots.map(described),
          js: {
            properties: members
              .filter(({ kind }) => kind === 'field')
              .map((member) => ({ ...described(member), type: member.type?.text ?? 'unknown' })),
            events: events.map(described),
          },
          css: {
            properties: css.cssProperties.map(described),
            parts: (css.cssParts ?? []).map(described),
          },
        })),
      },
    },
  };
}

function described({ name, description }: Described): Described {
  return { name, description: plain(description) };
}

export function attributesReference(tag: string): string {
  const { attributes, members } = elementOf(tag);
  const fields = members.filter((member) => {
    return member.kind === 'field' && member.attribute === undefined && !isPromise(member);
  });
  const named = new Set(attributes.map(({ fieldName = '' }) => fieldName));
  return table(
    ['attribute', 'property', 'meaning'],
    [
      ...attributes.map(({ name, fieldName = name, description = '' }) => [
        code(name),
        code(fieldName),
        plain(description),
      ]),
      ...fields
        .filter(({ name }) => !named.has(name) && !attributes.some((attribute) => attribute.name === name))
        .map(({ name, description = '' }) => ['—', code(name), plain(description)]),
    ],
  );
}

export function eventsReference(): string {
  const events = new Map<string, { meaning: string; type: string; of: string[] }>();
  for (const { tagName, events: own } of elements()) {
    for (const { name, description = '', type } of own) {
      const event = events.get(name) ?? { meaning: plain(description), type: type?.text ?? 'Event', of: [] };
      event.of.push(tagName === 'inventory-editor' ? 'editor' : 'toggle');
      events.set(name, event);
    }
  }
  return table(
    ['event', 'of', 'class', 'when'],
    [...events].map(([name, { meaning, type, of }]) => [
      code(name),
      of.length > 1 ? 'both' : of.join(),
      code(type),
      meaning,
    ]),
  );
}

export function methodsReference(): string {
  const methods = elementOf('inventory-editor').members.filter(
    (member) => member.kind === 'method' || isPromise(member),
  );
  return table(
    ['method', 'does'],
    methods.map(({ name, kind, description = '' }) => [
      code(kind === 'method' ? `${name}()` : name),
      plain(description),
    ]),
  );
}

export function partsReference(): string {
  return elements()
    .map(({ tagName, slots = [], cssParts = [], cssStates = [] }) => {
      const rows = [
        ...slots.map((slot) => ['slot', slot.name === '' ? 'default' : code(slot.name), plain(slot.description)]),
        ...cssParts.map((part) => ['part', code(part.name), plain(part.description)]),
        ...cssStates.map((state) => ['state', code(state.name), plain(state.description)]),
      ];
      return `Of \`${tagName}\`:\n\n${table(['kind', 'name', 'what'], rows)}`;
    })
    .join('\n\n');
}

export function themeReference(): string {
  const properties = new Map(elements().flatMap((element) => element.cssProperties.map((each) => [each.name, each])));
  return table(
    ['property', 'default', 'what'],
    [...properties.values()].map(({ name, default: initial = '', description }) => [
      code(name),
      initial === '' ? '' : code(initial),
      plain(description),
    ]),
  );
}

function elements(): readonly ElementDeclaration[] {
  return elementsManifest().modules.flatMap(({ declarations }) => declarations);
}

function elementOf(tag: string): ElementDeclaration {
  const element = elements().find(({ tagName }) => tagName === tag);
  if (element === undefined) throw new Error(`the manifest has no ${tag}`);
  return element;
}

function isPromise({ type }: Member): boolean {
  return type?.text.startsWith('Promise<') === true;
}

/** On one line. */
function plain(description = ''): string {
  return description.replace(/\s+/g, ' ').trim();
}

/** The values of an attribute, where its type is a closed list. */
function valuesOf(type = ''): { readonly values?: readonly { readonly name: string }[]; readonly valueSet?: string } {
  if (type === 'boolean') return { valueSet: 'v' };
  const values = [...type.matchAll(/'([^']+)'/g)].map(([, name = '']) => ({ name }));
  return values.length > 0 ? { values } : {};
}
