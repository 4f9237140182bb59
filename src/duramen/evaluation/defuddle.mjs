// Run Defuddle on pages for `duramen evaluate --structure`: reads JSON lines with `html` and `url`, and writes for each
// a JSON line with `markdown` or `error`. The argument is the path of Defuddle's module for Node.

import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

console.log = console.info = console.debug = console.error; // standard output is for the answers

const { Defuddle } = await import(pathToFileURL(process.argv[2]));

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { html, url } = JSON.parse(line);
  let answer;
  try {
    // Without `useAsync: false` it may ask services in the web for the content of a page.
    const result = await Defuddle(html, url ?? undefined, { markdown: true, useAsync: false });
    answer = { markdown: result.contentMarkdown ?? result.content ?? "" };
  } catch (error) {
    answer = { error: String(error) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
