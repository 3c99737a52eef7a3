import type { MisuseTexts, Reasons } from './dictionary.js';

/** What most visits never say: why something waits or was refused, or what is wrong with the page. Loaded when it is needed. */
export const enReasons: Reasons & MisuseTexts = {
  secretGiven: (attribute) =>
    `This element was given ${attribute}="…", which looks like a secret. A page can keep none: take it out, and change it where it is in use.`,
  missingProxy: 'This element needs the address of its proxy: add proxy="https://…".',
  badItem: 'This element needs the id of its item: add item="…", 1 to 200 characters, no control characters.',
  delayed(reason) {
    switch (reason) {
      case 'portal_unreachable':
        return 'the portal cannot be reached; we keep trying';
      case 'portal_busy':
        return 'the portal is busy; we keep trying';
      case 'portal_error':
        return 'the portal has a fault; we keep trying';
      case 'portal_credentials':
      case 'portal_refuses':
      case 'portal_unreadable':
        return 'the portal does not accept our connection; the operator has to look at it';
      default:
        return 'on its way to the portal';
    }
  },
  attention(reason) {
    switch (reason) {
      case 'item_refused':
        return 'The portal refused this change. Check that the item still exists there, then try again.';
      case 'item_unknown':
        return 'You may not change this item. Ask whoever manages your account.';
      case 'conflict':
        return 'Somebody else changed this item before your change arrived. Which one should count?';
      case 'unclaimed':
        return 'Changed on this device before anybody was signed in. Should that count?';
      case 'permission_missing':
        return 'You may look at this item but not change it. Ask whoever manages your account.';
      default:
        return 'This change was not accepted. Try again; if that does not help, ask for support.';
    }
  },
  connection(problem) {
    switch (problem) {
      case 'origin_refused':
        return 'This page may not use the inventory service. Its operator has to allow this address.';
      case 'session_unreachable':
      case 'session_unverifiable':
        return 'Your sign-in cannot be checked right now. Changes stay on this device; we keep trying.';
      case 'budget_spent':
        return 'That was a lot at once. The rest stays on this device and goes out in a moment.';
      case 'overloaded':
      case 'storage_unavailable':
        return 'The inventory service cannot store changes right now. They stay on this device; we keep trying.';
      case 'not_deleted':
        return 'Your changes could not be deleted from this device, so you are still signed in. They go out when you try again or sign out.';
      case 'permission_missing':
        return 'You may not see this inventory. Ask whoever manages your account.';
      default:
        return 'The inventory service cannot be reached. Changes stay on this device; we keep trying.';
    }
  },
  signedOut: 'You are signed out. Sign in again on this page; your changes are kept on this device.',
  goodbye: 'You are signed out. Nothing of yours is kept on this device.',
};
