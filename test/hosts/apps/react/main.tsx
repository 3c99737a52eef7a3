import 'vendor-inventory-widget';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Inventory } from './inventory';

const proxy = new URLSearchParams(location.search).get('proxy') ?? '';
const root = document.getElementById('app');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <Inventory proxy={proxy} />
    </StrictMode>,
  );
}
