import 'vendor-inventory-widget';
import { mount } from 'svelte';
import Inventory from './inventory.svelte';

const proxy = new URLSearchParams(location.search).get('proxy') ?? '';
mount(Inventory, { target: document.body, props: { proxy } });
