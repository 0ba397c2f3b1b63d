/** Mailbox providers: an address there says nothing about the company. */
export const mailboxDomains = new Set([
  'aol.com',
  'gmail.com',
  'gmx.at',
  'gmx.ch',
  'gmx.de',
  'gmx.net',
  'googlemail.com',
  'hotmail.com',
  'icloud.com',
  'live.com',
  'mail.com',
  'me.com',
  'msn.com',
  'outlook.com',
  'proton.me',
  'protonmail.com',
  't-online.de',
  'web.de',
  'yahoo.com',
  'yahoo.de',
  'yandex.com',
  'zoho.com',
]);

/** Sites where many companies have a page each: the domain is the host's, not the company's. */
export const hostDomains = new Set([
  'facebook.com',
  'github.com',
  'google.com',
  'instagram.com',
  'linkedin.com',
  'linktr.ee',
  'twitter.com',
  'x.com',
  'xing.com',
  'youtube.com',
]);
