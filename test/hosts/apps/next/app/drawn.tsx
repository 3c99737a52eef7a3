'use client';
import { useEffect, useState } from 'react';
import { Inventory } from '../../react/inventory';

export function Drawn({ proxy }: { readonly proxy: string }) {
  const [defined, setDefined] = useState(false);
  useEffect(() => {
    void import('vendor-inventory-widget').then(() => setDefined(true));
  }, []);
  return defined ? <Inventory proxy={proxy} /> : <p>Loading …</p>;
}
