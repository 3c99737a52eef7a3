import { Drawn } from './drawn';

type Search = Promise<{ readonly proxy?: string }>;

/** The elements with properties: the browser draws them once they are defined. */
export default async function Page({ searchParams }: { readonly searchParams: Search }) {
  const { proxy = '' } = await searchParams;
  return <Drawn proxy={proxy} />;
}
