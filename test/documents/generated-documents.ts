import { readFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import {
  attributesReference,
  elementsManifest,
  eventsReference,
  htmlCustomData,
  methodsReference,
  partsReference,
  themeReference,
  webTypes,
} from './elements-reference.js';
import { openApi, problemsReference, routesReference } from './http-interface.js';
import { withRegion } from './markdown.js';
import { profileReference, settingsReference } from './proxy-reference.js';
import { featureTextsReference, textsReference } from './texts-reference.js';

/** Pages of which a part is made from the code: the name of each part, and what makes it. */
const REGIONS: Readonly<Record<string, Readonly<Record<string, () => string>>>> = {
  'src/elements/README.md': {
    'toggle attributes': () => attributesReference('availability-toggle'),
    'editor attributes': () => attributesReference('inventory-editor'),
    events: eventsReference,
    methods: methodsReference,
    'slots, parts and states': partsReference,
    'custom properties': themeReference,
  },
  'src/proxy/README.md': { settings: settingsReference, 'portal profile': profileReference },
  'src/locales/README.md': { texts: textsReference, 'texts of features': featureTextsReference },
  'src/proxy/docs/http-api.md': { routes: routesReference, problems: problemsReference },
};

/** Files that are made from the code alone. */
const FILES: Readonly<Record<string, () => unknown>> = {
  'src/elements/custom-elements.json': elementsManifest,
  'src/elements/vscode.html-custom-data.json': htmlCustomData,
  'src/elements/web-types.json': webTypes,
  'src/proxy/docs/openapi.json': openApi,
};

/** What `npm run documents` writes, by path. */
export async function generatedDocuments(): Promise<ReadonlyMap<string, string>> {
  const pages = Object.entries(REGIONS).map(([path, regions]) => {
    let page = readFileSync(path, 'utf8');
    for (const [name, make] of Object.entries(regions)) page = withRegion(page, name, make());
    return [path, page] as const;
  });
  const files = Object.entries(FILES).map(([path, make]) => [path, JSON.stringify(make())] as const);
  const formatted = [...pages, ...files].map(async ([path, text]) => {
    return [path, await format(text, { ...(await resolveConfig(path)), filepath: path })] as const;
  });
  return new Map(await Promise.all(formatted));
}
