/** A text for each plural category of a language (CLDR). The number replaces `#`. */
export type Forms = Readonly<Partial<Record<Intl.LDMLPluralRule, string>> & { readonly other: string }>;

/** Formats counts for a language. Numbers and times differ by region in the same way. */
export interface Counter {
  readonly number: (count: number) => string;
  readonly counted: (count: number, forms: Forms) => string;
}

/** @param tag a language tag (BCP 47); an invalid tag formats numbers as in English */
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
