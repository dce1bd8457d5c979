// Whether somebody has clicked on a link to another page that has not come yet: a run of this page now would cancel that.
const isLeaving = () => window.leaves?.path === location.pathname && performance.now() < window.leaves.until;
const pause = (time) => new Promise((done) => setTimeout(done, time));

// Asks again and again for what has changed, as long as an element is there.
async function listen(element, url, sent, heard, failed) {
  if (element.listens) return;
  element.listens = true;
  let fails = 0;
  while (element.isConnected) {
    try {
      const answer = await askClassroom(url(), sent(), { headers: element.headers,
        signal: AbortSignal.any([(element.abort = new AbortController()).signal, AbortSignal.timeout(20000)]) });
      if (!answer.ok && answer.status !== 403) throw new Error(answer.status);
      fails = 0;
      if (!element.isConnected || heard(await answer.json()) === false) break;
      await pause(300);
    } catch (error) {
      if (error.name === "AbortError") continue;
      failed?.();
      await pause(Math.min(10000, 1000 * 2 ** fails++));
    }
  }
  element.listens = false;
}
