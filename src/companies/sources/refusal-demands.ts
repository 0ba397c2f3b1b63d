/** Phrases, in several languages, by which a company demands to be erased or left alone, and by which a list forbids to contact it. */
import { words } from '../../base/text/words.ts';

/** Of a clause as a key between underscores: `_loeschung_verlangt_`. Up to three words may be between the parts of a phrase. */
const demands: readonly RegExp[] = [
  // Erasure
  /_(?:dsgvo|daten)?loesch(?:antrag|anfrage|ersuchen|begehren|gesuch|verlangen|aufforderung|wunsch)_/,
  /_(?:daten)?loeschung_(?:nach|gem|gemaess|lt|laut)_(?:dsgvo|ds_gvo|gdpr|rgpd|rodo|avg|art|art_17)_/,
  /_(?:daten)?loeschung_(?:[^_]+_){0,3}(?:verlangt|beantragt|gefordert|gewuenscht|erbeten|gebeten|angefordert)_/,
  /_(?:verlangt|beantragt|fordert|wuenscht|bittet|gebeten|bitte|antrag|recht)_(?:[^_]+_){0,3}(?:(?:daten)?loeschung|vergessenwerden)_/,
  /_(?:dsgvo|ds_gvo|gdpr|rgpd|rodo|avg|art|art_17)_(?:loeschung|erasure|deletion|removal)_/,
  /_(?:erasure|deletion|removal|data_delet(?:e|ion)|delete)_request(?:ed)?_/,
  /_(?:requests?|requested|asks?|asked|right)_(?:[^_]+_){0,3}(?:erasure|deletion|removal|be_forgotten|be_removed|be_deleted|be_taken_off)_/,
  /_(?:wants?|wanted|wish|wishes)_to_be_(?:removed|deleted|forgotten|taken_off)_/,
  /_(?:moechten?|will|wollen)_(?:[^_]+_){0,3}(?:geloescht|entfernt|ausgetragen)_werden_/,
  /_(?:demande|droit)_(?:[^_]+_){0,3}(?:effacement|suppression|oubli|desinscription)_/,
  /_(?:richiesta|chiesto|chiede|diritto)_(?:[^_]+_){0,3}(?:cancellazione|rimozione|oblio)_/,
  /_(?:solicit[^_]*|pide|pidio|derecho|pedido)_(?:[^_]+_){0,3}(?:supresion|borrado|eliminacion|baja|olvido)_/,
  /_(?:zadanie|zada|prosi|prosba|wniosek|prawo)_(?:[^_]+_){0,3}(?:usuniecie|usuniecia|zapomnianym)_/,
  /_verzo(?:ek|cht)_(?:[^_]+_){0,3}(?:verwijdering|verwijderen|wissen)_/,
  // Removal from a list
  /_(?:aus|vom|von|van)_(?:[^_]+_){0,3}(?:liste?|lista|listy|lijst|mailing|mailings|mailingliste?|verteiler|datenbank|database|newsletter|crm|bestand|base|bazy)_(?:entfernen|nehmen|loeschen|streichen|austragen|verwijderen)_/,
  /_(?:remove|delete|take|retirer|supprimer|cancellare|rimuovere|eliminar|usunac|wypisac)_(?:[^_]+_){0,3}(?:off|from|de|dalla|dal|del|z)_(?:[^_]+_){0,3}(?:liste?|lista|listy|lijst|mailing|mailings|mailingliste?|verteiler|datenbank|database|newsletter|crm|bestand|base|bazy)_$/,
  /_(?:remove|delete|unsubscribe)_(?:us|me|them|him|her)_/,
  // Forbidden contact
  /_(?:kontakt|kontaktaufnahme|werbung|anrufe?|mails|emails?|mailings?|ansprache|akquise|contact|calls|marketing|contatto|contacto|publicite)_(?:(?:ist|sind|wird|is|are)_)?(?:(?:nicht|not|non|no|niet)_(?:mehr_)?(?:erwuenscht|gewuenscht|erlaubt|gestattet|wanted|desired|allowed|permitted|souhaite|desiderato|gradito|deseado|gewenst)|unerwuenscht|untersagt|verboten|verbeten|unwanted|forbidden|prohibited|interdit)_/,
  /_(?:stop|cease|quit|stoppen)_(?:[^_]+_){0,3}(?:emailing|mailing|calling|contacting|phoning|writing|spamming|mailen|bellen)_/,
  /_(?:arret[^_]*|cess(?:er|ez)|smett[^_]*|dej(?:ar|en|ad)|przesta[^_]*)_(?:[^_]+_){0,3}(?:contact[^_]*|appel[^_]*|contatt[^_]*|chiam[^_]*|llam[^_]*|mail[^_]*|email[^_]*|dzwoni[^_]*|pisa[^_]*|kontakt[^_]*)_/,
  /_(?:mails|emails|anrufe|werbung|mailings|zusendung|zusendungen)_(?:[^_]+_){0,3}(?:einstellen|unterlassen)_/,
  /_(?:einwilligung|zustimmung|consent|consentement|consenso|consentimiento|zgoda|toestemming)_(?:[^_]+_){0,3}(?:widerrufen|entzogen|zurueckgezogen|verweigert|withdrawn|revoked|denied|retire|revocato|revocado|retirado|wycofana|cofnieta|ingetrokken)_/,
];

/** Nothing of these forbids a contact once it is withdrawn, removed or denied. */
const claims: readonly RegExp[] = [
  // Legal threats
  /_(?:rechtlichen?_schritten?|legal_(?:action|steps|threats?|proceedings)|cease_and_desist|unterlassungs(?:erklaerung|klage|aufforderung))_/,
  /_(?:mise_en_demeure|poursuites_judiciaires|azion[ei]_legal[ei]|vie_legali|(?:acciones|medidas)_legales|kroki_prawne|juridische_stappen)_/,
  /_(?:rechts)?anwalt_(?:[^_]+_){0,3}(?:eingeschaltet|beauftragt|gedroht|angedroht|droht)_/,
  /_(?:droht|drohen|drohte|drohung|androhung)_(?:[^_]+_){0,3}(?:(?:rechts)?anwalt|anwaelten|klage|abmahnung|anzeige)_/,
  /_(?:klage|abmahnung)_(?:[^_]+_){0,3}(?:angedroht|droht|gedroht|erhalten|bekommen)_/,
  /_(?:uwg|dsgvo|spam|werbe)_?abmahnung_/,
  /^_abmahnung_$/,
  /^_hat_uns_(?:[^_]+_){0,3}(?:abgemahnt|verklagt)_/,
  /_threat(?:en[^_]*)?_(?:[^_]+_){0,3}(?:sue|lawyers?|lawsuit|court|attorney|solicitor)_/,
  /_(?:lawyers?|attorneys?|solicitors?)_(?:[^_]+_){0,3}(?:involved|hired|engaged|instructed)_/,
  /_(?:menac[^_]*|minacci[^_]*|amenaz[^_]*|grozi[^_]*|dreig[^_]*)_(?:[^_]+_){0,3}(?:avocat|proces|plainte|avvocato|denuncia|abogado|demanda|sadem|prawnikiem|advocaat)_/,
  // Lists of companies that are not to be contacted
  /_(?:on|auf|in|sur|en|na|op|sulla|nella)_(?:[^_]+_){0,3}(?:black_?list|sperrliste|block_?list|suppression_list|schwarzen?_liste|liste_noire|lista_nera|lista_negra|czarn(?:a|ej)_li(?:sta|scie)|zwarte_lijst)_$/,
  /^_(?:(?:interne|unsere|our)_)?(?:black_?list|sperrliste|block_?list|suppression_list|schwarzen?_liste|liste_noire|lista_nera|lista_negra|czarn(?:a|ej)_li(?:sta|scie)|zwarte_lijst)_$/,
  /_(?:black_?listed|geblacklistet|geblacklisted)_/,
];

const denials: ReadonlySet<string> = new Set(
  words('kein keine keinen nicht no not never non nie niet geen pas aucun aucune', 'nessun nessuna sin ohne without'),
);

const ended =
  /(?:^|_)(?:zurueckgezogen|zurueckgenommen|withdrawn|dropped|settled|beigelegt|aufgehoben|removed|entfernt)/;

/** `clause`: as a key. `loeschung_verlangt`, `hat_anwalt_eingeschaltet`, `auf_blacklist`; not `kein_loeschantrag` */
export function isDemand(clause: string): boolean {
  const key = `_${clause}_`;
  const isAsserted = (pattern: RegExp) => {
    const before = key.slice(0, Math.max(0, key.search(pattern))).split('_');
    return pattern.test(key) && !before.some((word) => denials.has(word));
  };
  return demands.some(isAsserted) || (!ended.test(clause) && claims.some(isAsserted));
}
