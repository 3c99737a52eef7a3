import { ITEMS } from '../../../items';
import { Rendered } from './rendered';

type Search = Promise<{ readonly proxy?: string }>;

/** The tags come from the server with their items in them: what a vendor sees before any script, and a browser upgrades. */
export default async function Page({ searchParams }: { readonly searchParams: Search }) {
  const { proxy = '' } = await searchParams;
  return <Rendered proxy={proxy} items={JSON.stringify(ITEMS).replaceAll('<', '\\u003c')} />;
}
