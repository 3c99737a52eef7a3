import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core';
import type { InventoryErrorEvent, InventoryReceiptEvent } from 'vendor-inventory-widget';
import { ITEMS } from '../items';

/** A template whose handlers the Angular compiler checks with the types of the two tags. */
@Component({
  selector: 'host-inventory',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <inventory-editor
      session="/inventory-session"
      [items]="items"
      [attr.readonly]="locked() ? '' : null"
      (inventory-change)="note($event.itemId.length)"
      (inventory-error)="onError($event)"
    ></inventory-editor>
    <availability-toggle item="kayak" session="/inventory-session" (inventory-receipt)="onReceipt($event)">
      Kayak tour
    </availability-toggle>
  `,
})
export class Inventory {
  readonly items = ITEMS;
  readonly locked = signal(false);

  note(length: number): void {
    console.log(length);
  }

  onError(event: InventoryErrorEvent): void {
    console.log(event.code.length);
  }

  onReceipt(event: InventoryReceiptEvent): void {
    console.log(event.truth);
  }
}
