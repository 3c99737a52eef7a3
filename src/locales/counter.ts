/** A text for each plural category of a language (CLDR); `#` stands for the number. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** How a language counts. Numbers are written as the times beside them, which differ by region. */
export interface Counter {
  readonly number: (count: number) => string;
  readonly counted: (count: number, forms: Forms) => string;
}

/** @param tag a language tag (BCP 47); numbers are English where the page names one that does not exist */
export function counterOf(tag: string): Counter {
  const language = wellFormed(tag);
  const format = new Intl.NumberFormat(language);
  const plural = new Intl.PluralRules(language);
  const number = (count: number): string => format.format(count);
  return {
    number,
    counted: (count, forms) => (forms[plural.select(count)] ?? forms.other).replace('#', number(count)),
  };
}

function wellFormed(tag: string): string {
  try {
    return Intl.getCanonicalLocales(tag)[0] ?? 'en';
  } catch {
    return 'en';
  }
}
