// Keeps a cookie, by which a page that is reloaded knows who it was, or what was chosen.
const keepCookie = (cookie) => {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  if (cookie) document.cookie = `${cookie.name}=${cookie.value}; path=/; SameSite=Lax; max-age=${cookie.seconds}${secure}`;
};
