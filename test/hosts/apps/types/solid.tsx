/** @jsxImportSource solid-js */
import type {} from 'vendor-inventory-widget/solid';

export function Inventory() {
  return (
    <>
      <inventory-editor
        session="/inventory-session"
        save-mode="auto"
        prop:items={[{ id: 'kayak', available: true }]}
        class="inventory"
        on:inventory-error={(event) => console.log(event.code.length)}
      />
      <availability-toggle item="kayak">Kayak tour</availability-toggle>
      {/* @ts-expect-error a list of texts */}
      <inventory-editor prop:items={['kayak']} />
    </>
  );
}
