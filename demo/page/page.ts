/** The panel beside the elements. The elements themselves need none of it. */
import './view.js';
import './event-log.js';
import './trouble.js';
import './journal.js';
