import type { Habits } from './habits.js';

interface Said {
  readonly title?: string;
  readonly detail?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** The same answer in the words that this portal uses for a refusal, and for what is none. */
export async function inWords(response: Response, { errors }: Habits): Promise<Response> {
  if (errors === 'in_success') return inSuccess(response);
  if (errors === 'problem' || response.status < 400) return response;
  const { title = '', detail, error, error_description } = (await response.json()) as Said;
  const words = {
    error: error ?? title.toUpperCase().replaceAll(' ', '_'),
    errorMessage: error_description ?? detail ?? title,
  };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(words), { status: response.status, headers });
}

/** 200 to everything: the body alone says what became of it. */
async function inSuccess(response: Response): Promise<Response> {
  const { status } = response;
  const said = status === 204 ? {} : ((await response.json()) as Said);
  const isTaken = status < 400;
  const words = isTaken ? said : { message: said.error_description ?? said.detail ?? said.error };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify({ ...words, success: isTaken, code: status }), { headers });
}
