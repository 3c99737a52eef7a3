/** @jsxImportSource react */
import { useRef } from 'react';
import type { InventoryEditor } from 'vendor-inventory-widget';
import type {} from 'vendor-inventory-widget/react';

export function Inventory() {
  const editor = useRef<InventoryEditor>(null);
  return (
    <>
      <inventory-editor
        ref={editor}
        session="/inventory-session"
        saveMode="auto"
        time-zone="Europe/Athens"
        items={[{ id: 'kayak', label: 'Kayak tour', available: true }]}
        className="inventory"
        oninventory-error={(event) => console.log(event.code.length)}
        onClick={() => void editor.current?.save()}
      />
      <availability-toggle item="kayak" disabled getSession={() => Promise.resolve('token')}>
        Kayak tour
      </availability-toggle>
      {/* @ts-expect-error a value that it does not have */}
      <inventory-editor saveMode="sometimes" />
      {/* @ts-expect-error a property that it does not have */}
      <availability-toggle itemm="kayak" />
    </>
  );
}
