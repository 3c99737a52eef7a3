import type { Habits } from './habits.js';

interface Said {
  readonly title?: string;
  readonly detail?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** The same refusal in the words that this portal uses. What is no refusal stays as it is. */
export async function inWords(response: Response, { errors }: Habits): Promise<Response> {
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
