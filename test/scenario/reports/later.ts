/** Reports that are not told as they expect, and why. */

/** Told with the answer of Pawl's own contract, which is another than the report's: report to reason. */
export const otherwiseReports: Readonly<Record<string, string>> = {
  R025: 'UNC names are refused in values and rules: a rule that grants one does not load',
  R059: 'every substitution is refused: what it would run is not seen before it has run',
  R127: 'an approval is for the very call that was shown; who wants a tool approved as a whole writes a rule that permits it',
  R132: 'a coordinator hands on nothing that it does not hold; the worker acts in its own right',
  R158: 'a tool is called by the name that it is listed under, exactly; no other spelling leads to it',
  R182: 'an approval seals arguments; what a file on the server holds meanwhile is its sandbox’s matter, no gateway sees it',
  R186: 'an approval is for the very call that was shown: it serves identical calls that wait, and no others',
  R213: 'a result that is too large is replaced whole, so that nobody takes a part for all of it',
};

/** Not told: report to reason. */
export const laterReports: Readonly<Record<string, string>> = {
  R172: 'the calls inside a text of code are seen by no gateway: such a tool is confined, or left out',
  R198: 'is about a trial mode, which is not there yet',
};
