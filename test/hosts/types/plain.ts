import 'vendor-inventory-widget';

const editor = document.createElement('inventory-editor');
editor.saveMode = 'auto';
editor.addEventListener('inventory-error', (event) => console.log(event.code.length));
document.addEventListener('inventory-receipt', (event) => console.log(event.truth));
// @ts-expect-error a value that it does not have
editor.saveMode = 'sometimes';
