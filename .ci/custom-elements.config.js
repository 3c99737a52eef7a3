// Generates the custom-elements manifest: `cem analyze --config .ci/custom-elements.config.js`. `npm run documents` runs
// it.

/** The meaning of each custom property in the styles. The analysis fails if a custom property is missing here. */
const THEME = {
  '--inventory-accent': 'Accent colour.',
  '--inventory-on-accent': 'Text on the accent colour.',
  '--inventory-text': 'Text.',
  '--inventory-text-soft': 'Text of less weight.',
  '--inventory-surface': 'Background.',
  '--inventory-surface-soft': 'Background of less weight.',
  '--inventory-line': 'Borders.',
  '--inventory-track-off': 'Track of a switch that is off.',
  '--inventory-on-device': 'Colour of the state “on this device”.',
  '--inventory-received': 'Colour of the state “received”.',
  '--inventory-on-portal': 'Colour of the state “on the portal”.',
  '--inventory-needs-attention': 'Colour of the state “needs attention”.',
  '--inventory-focus': 'Focus outline.',
  '--inventory-available': 'Track of a switch that is on; the accent colour by default.',
  '--inventory-unavailable': 'Track of a switch that is off; the colour of `--inventory-track-off` by default.',
  '--inventory-on-unavailable': 'Text on `--inventory-unavailable`.',
  '--inventory-danger': 'What deletes; the colour of the state “needs attention” by default.',
  '--inventory-hover': 'Background below the pointer.',
  '--inventory-selected': 'Background of a row that is selected.',
  '--inventory-radius': 'Corners.',
  '--inventory-radius-control': 'Corners of fields and of buttons without a frame.',
  '--inventory-radius-pill': 'Corners of buttons and filters.',
  '--inventory-radius-picture': 'Corners of pictures.',
  '--inventory-space': 'Unit of the paddings and gaps.',
  '--inventory-border-width': 'Width of the borders.',
  '--inventory-shadow': 'Shadow of a dialog.',
  '--inventory-motion': 'How long the switch moves; not at all for a person who prefers reduced motion.',
  '--inventory-font': 'Font family.',
  '--inventory-font-size': 'Font size, which the other sizes and the rows of the editor follow.',
  '--inventory-toggle-display':
    '`grid` to fill the line, or `none`. A toggle whose value is not known always fills its line.',
  '--inventory-list-height': 'Height at which the list of the editor begins to scroll.',
};
/** Custom properties that only one element reads. */
const ONE_ELEMENT = {
  '--inventory-surface-soft': 'inventory-editor',
  '--inventory-toggle-display': 'availability-toggle',
  '--inventory-list-height': 'inventory-editor',
  '--inventory-danger': 'inventory-editor',
  '--inventory-space': 'inventory-editor',
  '--inventory-border-width': 'inventory-editor',
  '--inventory-shadow': 'inventory-editor',
  '--inventory-motion': 'availability-toggle',
  '--inventory-hover': 'inventory-editor',
  '--inventory-selected': 'inventory-editor',
  '--inventory-radius-control': 'inventory-editor',
  '--inventory-radius-pill': 'inventory-editor',
  '--inventory-radius-picture': 'inventory-editor',
};

// eslint-disable-next-line no-restricted-syntax -- the analyzer reads the default export
export default {
  globs: ['src/elements/**/*.ts'],
  litelement: true,
  // The published manifest is another one than the analysed one, so the analyzer must not change package.json.
  packagejson: false,
  plugins: [elementTags(), reflectedAttributes(), listedAttributes(), theme(), publicOnly()],
};

/**
 * Sets the tag of each class and the class of each event, from the declarations of `HTMLElementTagNameMap` and
 * `InventoryEventMap`.
 */
function elementTags() {
  const [tags, events] = [new Map(), new Map()];
  return {
    name: 'element-tags',
    analyzePhase({ ts, node }) {
      if (!ts.isInterfaceDeclaration(node)) return;
      for (const { name, type } of node.members) {
        if (node.name.text === 'HTMLElementTagNameMap') tags.set(type.typeName.text, name.text);
        if (node.name.text === 'InventoryEventMap') events.set(name.text, type.typeName.text);
      }
    },
    packageLinkPhase({ customElementsManifest }) {
      for (const declaration of declarationsOf(customElementsManifest)) {
        const tagName = tags.get(declaration.name);
        if (tagName === undefined) continue;
        Object.assign(declaration, { tagName, customElement: true });
        for (const event of declaration.events ?? []) event.type = { text: events.get(event.name) ?? 'Event' };
      }
    },
  };
}

/** Adds the properties with the decorator `@reflected(...)`, whose only value is their attribute. */
function reflectedAttributes() {
  return {
    name: 'reflected-attributes',
    analyzePhase({ ts, node, moduleDoc }) {
      if (!ts.isClassDeclaration(node)) return;
      const declaration = moduleDoc.declarations?.find(({ name }) => name === node.name?.text);
      for (const member of node.members) {
        const call = (ts.canHaveDecorators(member) ? (ts.getDecorators(member) ?? []) : [])
          .map(({ expression }) => expression)
          .find((expression) => ts.isCallExpression(expression) && expression.expression.getText() === 'reflected');
        if (call !== undefined) addAttribute(declaration, member.name.getText(), optionsOf(ts, call.arguments[0]));
      }
    },
  };
}

/** Adds the properties of an element that lists them in one object, `static properties = attributes`. */
function listedAttributes() {
  let listed = [];
  return {
    name: 'listed-attributes',
    collectPhase({ ts, node }) {
      if (!ts.isVariableDeclaration(node) || node.type?.getText() !== 'PropertyDeclarations') return;
      listed = node.initializer.properties.map((property) => [
        property.name.getText(),
        optionsOf(ts, property.initializer),
      ]);
    },
    packageLinkPhase({ customElementsManifest }) {
      for (const declaration of declarationsOf(customElementsManifest)) {
        if (declaration.name !== 'InventoryEditor') continue;
        for (const [name, options] of listed)
          if (options.attribute !== 'false') addAttribute(declaration, name, options);
      }
    },
  };
}

function theme() {
  const defaults = new Map();
  return {
    name: 'theme',
    collectPhase({ ts, node }) {
      if (!ts.isSourceFile(node)) return;
      for (const [, name, start] of node.text.matchAll(/var\((--inventory-[a-z-]+)(?:,\s*([^;]*))?/g)) {
        if (!(name in THEME)) throw new Error(`describe ${name} in .ci/custom-elements.config.js`);
        // The analyzer visits the files in no fixed order. If two files have different defaults, that of the first name is
        // used.
        const known = defaults.get(name);
        if (start === undefined || (known !== undefined && known.file <= node.fileName)) continue;
        defaults.set(name, { file: node.fileName, value: untilClosed(start) });
      }
    },
    packageLinkPhase({ customElementsManifest }) {
      for (const declaration of declarationsOf(customElementsManifest).filter(({ tagName }) => tagName !== undefined)) {
        declaration.cssProperties = Object.entries(THEME)
          .filter(([name]) => [undefined, declaration.tagName].includes(ONE_ELEMENT[name]))
          .map(([name, description]) => ({ name, description, default: defaults.get(name)?.value ?? '' }));
      }
    },
  };
}

/** Removes everything that is no public interface for pages, and replaces the source paths by those of the built files. */
function publicOnly() {
  return {
    name: 'public-only',
    packageLinkPhase({ customElementsManifest }) {
      customElementsManifest.modules = customElementsManifest.modules
        .filter(({ declarations = [] }) => declarations.some(({ tagName }) => tagName !== undefined))
        .sort((one, other) => (one.path < other.path ? -1 : 1));
      for (const module of customElementsManifest.modules) {
        module.path = built(module.path);
        module.declarations = module.declarations.filter(({ tagName }) => tagName !== undefined);
        for (const each of module.exports ?? []) if (each.declaration) each.declaration.module = module.path;
        for (const declaration of module.declarations) keepPublic(declaration);
      }
    },
  };
}

function keepPublic(declaration) {
  delete declaration.mixins;
  declaration.superclass = { name: 'LitElement', package: 'lit' };
  declaration.events = declaration.events?.filter(({ description }) => description);
  declaration.members = declaration.members?.filter(
    ({ name, privacy, description, static: isStatic }) =>
      !isStatic && privacy === undefined && !name.startsWith('#') && description,
  );
  declaration.attributes = declaration.attributes?.filter(({ description }) => description);
  for (const list of [declaration.events, declaration.members, declaration.attributes])
    for (const each of list ?? []) delete each.inheritedFrom;
}

function declarationsOf(manifest) {
  return manifest.modules.flatMap(({ declarations = [] }) => declarations);
}

function addAttribute(declaration, fieldName, { attribute, type, reflect }) {
  const field = declaration.members.find(({ name }) => name === fieldName);
  const name = attribute?.replace(/^'|'$/g, '') ?? fieldName.toLowerCase();
  if (field === undefined) throw new Error(`${declaration.name} has no property ${fieldName}`);
  field.attribute = name;
  if (reflect !== 'false') field.reflects = true;
  const { description, type: fieldType, default: initial } = field;
  declaration.attributes ??= [];
  declaration.attributes.push({
    name,
    fieldName,
    ...(description && { description }),
    type: type === 'Boolean' ? { text: 'boolean' } : fieldType,
    ...(initial && { default: initial }),
  });
}

/** @returns the fields of an options object as source text */
function optionsOf(ts, node) {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return {};
  return Object.fromEntries(node.properties.map(({ name, initializer }) => [name.getText(), initializer.getText()]));
}

function built(path) {
  return path.replace(/^src\//, 'dist/').replace(/\.ts$/, '.js');
}

/** @returns the text before the bracket that closes it */
function untilClosed(text) {
  let depth = 0;
  for (const [at, letter] of [...text].entries()) {
    if (letter === '(') depth += 1;
    if (letter === ')' && depth-- === 0) return text.slice(0, at).trim();
  }
  return text.trim();
}
