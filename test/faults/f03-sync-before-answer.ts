import { EarlyAnswers } from './early-answers.js';
import { KILLED_AFTER_FAILED_SYNCS, KILLED_IN_A_SYNC, recordLives, type Recording } from './recorded-lives.js';
import type { Findings, Scenario, Trial } from './scenario.js';
import { straceIsMissing } from './strace.js';

const CONTROL_ANSWERS = 30;

export const syncBeforeAnswer: Scenario = {
  name: 'F3',
  title: 'order of system calls: the sync comes before the response',
  runs: { full: 500, quick: 0 },
  async run(trial: Trial): Promise<Findings> {
    const missing = straceIsMissing();
    if (missing !== undefined) return { counts: { 'answers looked at': 0 }, broken: [missing] };
    const honest = await recordLives(trial, {
      name: 'proxy',
      lives: [KILLED_IN_A_SYNC, KILLED_AFTER_FAILED_SYNCS, { answers: trial.runs, end: 'stop' }],
    });
    const control = await recordLives(trial, {
      name: 'control',
      lives: [{ answers: CONTROL_ANSWERS, end: 'stop' }],
      node: ['--import', './test/faults/without-sync.ts'],
    });

    const seen = answersOf(honest);
    const unsynced = answersOf(control);
    return {
      counts: {
        'answers looked at': seen.answers,
        'edits in them': seen.edits,
        'sent before the sync': seen.early.length,
        'answers of the control': unsynced.answers,
        'of them before the sync': unsynced.early.length,
      },
      broken: [
        ...honest.findings.broken,
        ...seen.early,
        ...(seen.answers < trial.runs ? [`only ${String(seen.answers)} answers were found in the trace`] : []),
        ...(unsynced.early.length < unsynced.answers / 2
          ? ['a proxy that does not sync was not told from one that does']
          : []),
      ],
    };
  },
};

function answersOf({ calls, database }: Recording): EarlyAnswers {
  const answers = new EarlyAnswers(database);
  answers.read(calls);
  return answers;
}
