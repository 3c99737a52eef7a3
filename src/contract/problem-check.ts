import { count, flag, list, object, optional, text } from './checks.js';
import type { Problem } from './problem.js';

export const problemCheck = object<Problem>({
  type: text,
  title: text,
  status: count,
  code: text,
  detail: optional(text),
  retryable: flag,
  request_id: text,
  errors: optional(list(object<{ pointer: string; message: string }>({ pointer: text, message: text }))),
});
