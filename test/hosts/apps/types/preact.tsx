/** @jsxImportSource preact */
import { createRef } from 'preact';
import type { InventoryEditor } from 'vendor-inventory-widget';
import type {} from 'vendor-inventory-widget/preact';

export function Inventory() {
  const editor = createRef<InventoryEditor>();
  return (
    <>
      <inventory-editor
        ref={editor}
        session="/inventory-session"
        saveMode="auto"
        items={[{ id: 'kayak', available: true }]}
        class="inventory"
        oninventory-error={(event) => console.log(event.code.length)}
      />
      <availability-toggle item="kayak">Kayak tour</availability-toggle>
      {/* @ts-expect-error a value that it does not have */}
      <inventory-editor saveMode="sometimes" />
    </>
  );
}
