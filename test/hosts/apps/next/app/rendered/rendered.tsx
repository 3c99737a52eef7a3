'use client';
import 'vendor-inventory-widget';
import type {} from 'vendor-inventory-widget/react';
import { useEffect, useState } from 'react';

export function Rendered({ proxy, items }: { readonly proxy: string; readonly items: string }) {
  const [heading, setHeading] = useState('Boats');
  const [events, setEvents] = useState<readonly string[]>([]);
  const session = `${proxy}/inventory-session`;

  // React adds no listeners to an element that it takes over from the server.
  useEffect(() => {
    const note = (text: string) => setEvents((known) => [...known, text]);
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener(
      'inventory-change',
      (event) => note(`change ${event.itemId} ${String(event.available)}`),
      { signal },
    );
    document.addEventListener('inventory-saved', () => note('saved'), { signal });
    return () => controller.abort();
  }, []);

  return (
    <main>
      <button onClick={() => setHeading('Boats and rooms')}>Rename</button>
      <inventory-editor proxy={proxy} session={session} heading={heading}>
        <script type="application/json" dangerouslySetInnerHTML={{ __html: items }} />
      </inventory-editor>
      <availability-toggle proxy={proxy} session={session} item="pottery-course">
        Pottery course
      </availability-toggle>
      <ol>
        {events.map((text, at) => (
          <li key={at}>{text}</li>
        ))}
      </ol>
    </main>
  );
}
