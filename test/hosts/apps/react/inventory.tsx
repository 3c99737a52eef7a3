import type {} from 'vendor-inventory-widget/react';
import { useState } from 'react';
import { ITEMS, SAUNA } from '../items';

/** What a host does with the elements: it draws them, changes their properties, hears their events, takes them away. */
export function Inventory({ proxy }: { readonly proxy: string }) {
  const [heading, setHeading] = useState('Boats');
  const [items, setItems] = useState(ITEMS);
  const [locked, setLocked] = useState(false);
  const [shown, setShown] = useState(true);
  const [events, setEvents] = useState<readonly string[]>([]);
  const note = (text: string) => setEvents((known) => [...known, text]);
  const session = `${proxy}/inventory-session`;

  return (
    <main>
      <button onClick={() => setHeading('Boats and rooms')}>Rename</button>
      <button onClick={() => setItems([...items, SAUNA])}>Add the sauna</button>
      <button onClick={() => setLocked(!locked)}>Lock</button>
      <button onClick={() => setShown(!shown)}>Show</button>
      {shown && (
        <>
          <inventory-editor
            proxy={proxy}
            session={session}
            heading={heading}
            items={items}
            readonly={locked}
            oninventory-change={(event) => note(`change ${event.itemId} ${String(event.available)}`)}
            oninventory-saved={() => note('saved')}
          />
          <availability-toggle
            proxy={proxy}
            session={session}
            item="pottery-course"
            readonly={locked}
            oninventory-receipt={(event) => note(`receipt ${event.itemId} ${event.truth}`)}
          >
            Pottery course
          </availability-toggle>
        </>
      )}
      <ol>
        {events.map((text, at) => (
          <li key={at}>{text}</li>
        ))}
      </ol>
    </main>
  );
}
