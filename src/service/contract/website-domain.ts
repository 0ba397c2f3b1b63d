/** Decides whether the domain of a website belongs to the company, or to a provider that hosts its page or mailbox. */
import { parse } from 'tldts';
import { domainOf } from './index.ts';
import { words } from '../../base/text/words.ts';

/** The host of an address by the contract's rules, without any leading `www.`; null when there is none. */
export function hostOf(address: string | null | undefined): string | null {
  const host = domainOf(address);
  return host?.startsWith('www.') ? hostOf(host) : host;
}

/** The host of an address, or null when it belongs to a mailbox provider or to a site that many companies share. */
export function ownDomain(address: string | null | undefined): string | null {
  const host = hostOf(address);
  return host === null || ownerOf(host) === null ? null : host;
}

/** The domain that a company has registered or got from a provider: `acme.co.uk`, `acme.github.io`; null for a shared domain. */
export function ownerOf(host: string): string | null {
  const { domain, domainWithoutSuffix, isPrivate, isIcann } = parse(host, { allowPrivateDomains: true });
  // A name that is itself a public suffix (co.uk, github.io), or a number, has no domain.
  if (domain === null || hubspotApp.test(host)) return null;
  const name = isPrivate === true ? '' : (domainWithoutSuffix ?? '');
  if (isIcann === true && placeholderNames.has(name)) return null;
  if (mailboxDomains.has(domain) || hostDomains.has(domain) || sharedNames.has(name)) return null;
  return builderDomains.has(domain) || builderNames.has(name) ? tenantOf(host, domain) : domain;
}

/** `keine.de`, `unbekannt.com`: people write such an address for a company without a website. The sandbox uses these words with other endings, such as `.example`. */
export function isPlaceholderHost(host: string): boolean {
  const { domainWithoutSuffix, isIcann } = parse(host);
  return isIcann === true && placeholderNames.has(domainWithoutSuffix ?? '');
}

/** What a text without an owner is: the ending of many domains (com, co.uk, github.io), a domain that many share, or no domain. */
export function kindWithoutOwner(text: string): 'ending' | 'shared' | 'none' {
  const { domain, isIcann, isPrivate } = parse(text.trim(), { allowPrivateDomains: true });
  if (domain !== null) return 'shared';
  return isIcann === true || isPrivate === true ? 'ending' : 'none';
}

/** Pages of records in HubSpot, whose address users copy: `app.hubspot.com`, `app-eu1.hubspot.com`. */
const hubspotApp = /^app(?:-[a-z]+\d+)?\.hubspot\.com$/;

/** `acme.jimdofree.com` of `shop.acme.jimdofree.com`; null for the builder itself. */
function tenantOf(host: string, domain: string): string | null {
  const tenant = host.slice(0, -domain.length).split('.').at(-2);
  return tenant === undefined || tenant === '' ? null : `${tenant}.${domain}`;
}

// Shared domains that the public suffix list does not contain (it contains wixsite.com, github.io and similar ones). An entry too many
// costs a company its domain as a key; a missing one would merge unrelated companies.

/** Mailbox providers. Neither an address there, nor a home page that some of them offer, identifies a company. */
export const mailboxDomains: ReadonlySet<string> = new Set(
  words(`
  126.com 163.com a1.net alice.it aliceadsl.fr aol.com aol.de aon.at arcor.de att.net bellsouth.net bigpond.com bk.ru
  blueyonder.co.uk bluemail.ch bluewin.ch bol.com.br btinternet.com centrum.cz charter.net chello.at club-internet.fr
  comcast.net cox.net daum.net duck.com earthlink.net eclipso.de email.com email.de fastmail.com fastmail.fm foxmail.com
  free.fr freenet.de freemail.hu guerrillamail.com hanmail.net hetnet.nl hey.com hispeed.ch home.nl hushmail.com
  icloud.com inbox.lv inbox.ru inode.at interia.pl kabelmail.de kpnmail.nl laposte.net libero.it list.ru live.at live.be
  live.ca live.cn live.co.uk live.com live.de live.dk live.fr live.it live.nl live.no live.se mac.com magenta.de mail.com
  mail.de mail.ru mailbox.org mailfence.com mailinator.com me.com msn.com naver.com neuf.fr nifty.com ntlworld.com o2.pl
  o2online.de onet.eu onet.pl online.de op.pl optonline.net optusnet.com.au orange.fr outlook.at outlook.com outlook.de
  outlook.es outlook.fr outlook.it planet.nl pm.me post.cz posteo.de posteo.net proton.me protonmail.ch protonmail.com
  qq.com quicknet.nl rambler.ru rediffmail.com rocketmail.com runbox.com sapo.pt sbcglobal.net seznam.cz sfr.fr sina.com
  skynet.be snafu.de sohu.com t-online.at t-online.de talktalk.net telenet.be terra.com.br tim.it tin.it tiscali.it
  trashmail.com trashmail.de tuta.com tuta.io tutamail.com tutanota.com tutanota.de ukr.net uol.com.br upcmail.nl
  utanet.at verizon.net versanet.de virgilio.it virginmedia.com vodafone.de vodafonemail.de volny.cz wanadoo.fr web.de
  wp.pl xs4all.nl yeah.net ymail.com yopmail.com ziggo.nl zoho.com zohomail.com zohomail.eu
`),
);

/** Sites with pages of many companies: networks, directories, market places, short links. */
export const hostDomains: ReadonlySet<string> = new Set(
  words(`
  11880.com 1drv.ms about.me airtable.com alibaba.com aliexpress.com angel.co bbb.org beacons.ai behance.net
  bio.link bit.ly bitbucket.org booking.com brownbook.net calendly.com campsite.bio canva.com crunchbase.com
  dasoertliche.de dastelefonbuch.de discord.com discord.gg dribbble.com dropbox.com fb.com fb.me firmenabc.at
  flickr.com force.com forms.gle foursquare.com g.page gelbeseiten.de github.com gitlab.com goo.gl goyellow.de
  herold.at immobilienscout24.de immoscout24.ch issuu.com kleinanzeigen.de kununu.com lieferando.de linktr.ee
  lnk.bio lnkd.in local.ch medium.com meinestadt.de meta.com mobile.de myworkdayjobs.com northdata.com northdata.de
  notion.so ok.ru pagesjaunes.fr paginegialle.it patreon.com quora.com reddit.com search.ch site.com slideshare.net
  snapchat.com soundcloud.com spotify.com stepstone.de sumup.link t.co t.me taplink.cc telegram.me telegram.org
  threads.com threads.net tinyurl.com trello.com twitch.tv typeform.com vimeo.com vk.com wa.me weibo.com
  werliefertwas.de whatsapp.com wikipedia.org wlw.at wlw.ch wlw.de x.com xing.com yell.com yellowpages.com youtu.be
`),
);

/** The same, whatever country ending their name has. */
export const sharedNames: ReadonlySet<string> = new Set(
  words(`
  airbnb amazon autoscout24 cylex ebay etsy europages eventbrite facebook glassdoor gmail gmx google googlemail hotmail
  indeed instagram linkedin pinterest tiktok tripadvisor trustpilot twitter yahoo yandex yelp youtube
`),
);

/** Words that stand for nothing, whatever ending they have. Not `null` or `none`: there are companies of these names. */
const placeholderNames: ReadonlySet<string> = new Set(
  words(`
  keine keinewebsite keine-website keinehomepage keine-homepage keineangabe keine-angabe nicht-bekannt nicht-vorhanden
  unbekannt undefined unknown nowebsite no-website noname placeholder platzhalter dummy musterfirma test
  aucun aucune inconnu brak nieznany nieznana nessuno sconosciuto ninguno ninguna desconocido geen onbekend
  xx xxx xxxx xxxxx asdf
`),
);

/** Site builders, and sites of offices (sharepoint.com): a subdomain belongs to one company, the domain itself to none. */
export const builderDomains: ReadonlySet<string> = new Set(
  words(`
  atlassian.net beepworld.de bigcartel.com bravesites.com business.site canalblog.com canva.site cargo.site ck.page
  de.tl e-monsite.com eatbu.com ecwid.com emyspot.com godaddysites.com gumroad.com home.blog hostingersite.com
  hpage.com hs-sites.com hubspotpagebuilder.com jimdo.com jimdofree.com jimdosite.com jimdoweb.com jouwweb.nl
  livejournal.com mailchimpsites.com monsite-orange.fr mozello.com mykajabi.com mystrikingly.com npage.de odoo.com
  onepage.me onmicrosoft.com over-blog.com page.link page.tl page4.com pagesperso-orange.fr sharepoint.com
  site123.me sitew.com sitew.fr skyrock.com softgarden.io squarespace.com strikingly.com substack.com systeme.io
  teachable.com thinkific.com tilda.ws tripod.com tumblr.com ueniweb.com webador.at webador.com webador.de
  webnode.at webnode.ch webnode.com webnode.cz webnode.fr webnode.it webnode.page webs.com weebly.com wix.com
  wordpress.com zohosites.com
`),
);

/** The same, whatever country ending their name has. */
export const builderNames: ReadonlySet<string> = new Set(words('blogspot'));
