import 'vendor-inventory-widget';
import { createApp } from 'vue';
import Inventory from './inventory.vue';

const proxy = new URLSearchParams(location.search).get('proxy') ?? '';
createApp(Inventory, { proxy }).mount('#app');
