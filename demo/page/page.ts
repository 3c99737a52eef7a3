/** The panel beside the elements. The elements do not need it. */
import './view.js';
import './event-log.js';
import './trouble.js';
import './journal.js';
