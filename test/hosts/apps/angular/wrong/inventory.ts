import { Component, CUSTOM_ELEMENTS_SCHEMA } from '@angular/core';
import type {} from 'vendor-inventory-widget';

/** The compiler has to reject the handler, because an error event has no `truth`. */
@Component({
  selector: 'host-inventory',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: '<inventory-editor (inventory-error)="note($event.truth)"></inventory-editor>',
})
export class Inventory {
  note(truth: string): void {
    console.log(truth);
  }
}
