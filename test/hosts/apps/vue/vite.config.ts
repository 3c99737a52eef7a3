import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

const isInventory = (tag: string): boolean => tag === 'inventory-editor' || tag === 'availability-toggle';

export default defineConfig({
  base: './',
  plugins: [vue({ template: { compilerOptions: { isCustomElement: isInventory } } })],
});
