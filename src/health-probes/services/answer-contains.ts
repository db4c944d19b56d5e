/** What of an answer is looked at. */
const MOST_BYTES = 1_048_576;

/** Whether the first mebibyte of an answer, read as UTF-8, contains the text. The rest is not fetched. */
export async function answerContains(answer: Response, text: string): Promise<boolean> {
  const decoder = new TextDecoder();
  let left = MOST_BYTES;
  let seen = '';
  // Leaving the loop cancels the answer.
  for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
    seen += decoder.decode(chunk.subarray(0, left), { stream: true });
    if (seen.includes(text)) return true;
    left -= chunk.byteLength;
    if (left <= 0) return false;
    // Only a beginning of the text can still be completed.
    seen = seen.slice(-text.length);
  }
  return false;
}
