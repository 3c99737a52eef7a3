// For pages whose scripts are not modules: loads the elements' module from beside this file, and says on the console what it did.
(function () {
  const self = document.currentScript;
  const say = function (level, text) {
    if (window.console) console[level]('vendor-inventory-widget: ' + text);
  };
  if (!self || !self.src) {
    say(
      'error',
      'widget.classic.js does nothing: it has to be loaded by a script tag with src, and not as a module or inline.',
    );
    return;
  }
  const address = self.src.replace(/widget\.classic\.js(?=$|[?#])[^]*$/, 'widget.js');
  if (!('noModule' in HTMLScriptElement.prototype)) {
    say('error', 'this browser cannot load modules, so the elements do not appear. Their children stay visible.');
    return;
  }
  const script = document.createElement('script');
  script.type = 'module';
  script.src = address;
  // A policy with nonces covers the module, too.
  if (self.nonce) script.nonce = self.nonce;
  script.onload = function () {
    say('info', 'widget.classic.js has loaded ' + address + ' as a module.');
  };
  script.onerror = function () {
    say('error', 'widget.classic.js could not load ' + address + '. See troubleshooting.md#the-elements-do-not-appear');
  };
  document.head.appendChild(script);
})();
