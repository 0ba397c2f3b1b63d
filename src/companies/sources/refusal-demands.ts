/** Phrases, in several languages, by which a company demands to be erased or left alone, and by which a list forbids to contact it. */
import { words } from '../../base/text/words.ts';

/**
 * Phrases are of keys: a space is between words, `~` is up to three words, `^` the start and `$` the end of the clause.
 * A word takes no underscore, so that the time stays in proportion to the text.
 */
function toPattern(phrase: string): RegExp {
  const pattern = phrase
    .replaceAll(/^\^|\$$/g, '')
    .replaceAll(/\((?!\?)/g, '(?:')
    .replaceAll(' ~ ', '_(?:[^_]+_){0,3}')
    .replaceAll(' ', '_')
    .replaceAll('*', '[^_]*');
  const [start, end] = [phrase.startsWith('^') ? '^' : '(?:^|_)', phrase.endsWith('$') ? '$' : '(?:_|$)'];
  return new RegExp(`${start}(?:${pattern})${end}`);
}

const law = '(dsgvo|ds gvo|gdpr|rgpd|rodo|avg|art|art 17)';
const contact =
  '(kontakt|kontaktaufnahme|werbung|anrufe?|mails|emails?|mailings?|ansprache|akquise|contact|calls|marketing|contatto|contacto|publicite)';
const list =
  '(liste?|lista|listy|lijst|mailing|mailings|mailingliste?|verteiler|datenbank|database|newsletter|crm|bestand|base|bazy)';
const blacklist =
  '(black ?list|sperrliste|block ?list|suppression list|schwarzen? liste|liste noire|lista nera|lista negra|czarn(a|ej) li(sta|scie)|zwarte lijst)';

const demands = [
  // Erasure
  '(dsgvo|daten)?loesch(antrag|anfrage|ersuchen|begehren|gesuch|verlangen|aufforderung|wunsch)',
  `(daten)?loeschung (nach|gem|gemaess|lt|laut) ${law}`,
  '(daten)?loeschung ~ (verlangt|beantragt|gefordert|gewuenscht|erbeten|gebeten|angefordert)',
  '(verlangt|beantragt|fordert|wuenscht|bittet|gebeten|bitte|antrag|recht) ~ ((daten)?loeschung|vergessenwerden)',
  `${law} (loeschung|erasure|deletion|removal)`,
  '(erasure|deletion|removal|data delet(e|ion)|delete) request(ed)?',
  '(requests?|requested|asks?|asked|right) ~ (erasure|deletion|removal|be forgotten|be removed|be deleted|be taken off)',
  '(wants?|wanted|wish|wishes) to be (removed|deleted|forgotten|taken off)',
  '(moechten?|will|wollen) ~ (geloescht|entfernt|ausgetragen) werden',
  '(demande|droit) ~ (effacement|suppression|oubli|desinscription)',
  '(richiesta|chiesto|chiede|diritto) ~ (cancellazione|rimozione|oblio)',
  '(solicit*|pide|pidio|derecho|pedido) ~ (supresion|borrado|eliminacion|baja|olvido)',
  '(zadanie|zada|prosi|prosba|wniosek|prawo) ~ (usuniecie|usuniecia|zapomnianym)',
  'verzo(ek|cht) ~ (verwijdering|verwijderen|wissen)',
  // Removal from a list
  `(aus|vom|von|van) ~ ${list} (entfernen|nehmen|loeschen|streichen|austragen|verwijderen)`,
  `(remove|delete|take|retirer|supprimer|cancellare|rimuovere|eliminar|usunac|wypisac) ~ (off|from|de|dalla|dal|del|z) ~ ${list}$`,
  '(remove|delete|unsubscribe) (us|me|them|him|her)',
  // Forbidden contact
  `${contact} ((ist|sind|wird|is|are) )?((nicht|not|non|no|niet) (mehr )?(erwuenscht|gewuenscht|erlaubt|gestattet|wanted|desired|allowed|permitted|souhaite|desiderato|gradito|deseado|gewenst)|unerwuenscht|untersagt|verboten|verbeten|unwanted|forbidden|prohibited|interdit)`,
  '(stop|cease|quit|stoppen) ~ (emailing|mailing|calling|contacting|phoning|writing|spamming|mailen|bellen)',
  '(arret*|cess(er|ez)|smett*|dej(ar|en|ad)|przesta*) ~ (contact*|appel*|contatt*|chiam*|llam*|mail*|email*|dzwoni*|pisa*|kontakt*)',
  '(mails|emails|anrufe|werbung|mailings|zusendung|zusendungen) ~ (einstellen|unterlassen)',
  '(einwilligung|zustimmung|consent|consentement|consenso|consentimiento|zgoda|toestemming) ~ (widerrufen|entzogen|zurueckgezogen|verweigert|withdrawn|revoked|denied|retire|revocato|revocado|retirado|wycofana|cofnieta|ingetrokken)',
].map(toPattern);

/** Nothing of these forbids a contact once it is withdrawn, removed or denied. */
const claims = [
  // Legal threats
  '(rechtlichen? schritten?|legal (action|steps|threats?|proceedings)|cease and desist|unterlassungs(erklaerung|klage|aufforderung))',
  '(mise en demeure|poursuites judiciaires|azion[ei] legal[ei]|vie legali|(acciones|medidas) legales|kroki prawne|juridische stappen)',
  '(rechts)?anwalt ~ (eingeschaltet|beauftragt|gedroht|angedroht|droht)',
  '(droht|drohen|drohte|drohung|androhung) ~ ((rechts)?anwalt|anwaelten|klage|abmahnung|anzeige)',
  '(klage|abmahnung) ~ (angedroht|droht|gedroht|erhalten|bekommen)',
  '(uwg|dsgvo|spam|werbe) ?abmahnung',
  '^abmahnung$',
  '^hat uns ~ (abgemahnt|verklagt)',
  'threat(en*)? ~ (sue|lawyers?|lawsuit|court|attorney|solicitor)',
  '(lawyers?|attorneys?|solicitors?) ~ (involved|hired|engaged|instructed)',
  '(menac*|minacci*|amenaz*|grozi*|dreig*) ~ (avocat|proces|plainte|avvocato|denuncia|abogado|demanda|sadem|prawnikiem|advocaat)',
  // Lists of companies that are not to be contacted
  `(on|auf|in|sur|en|na|op|sulla|nella) ~ ${blacklist}$`,
  `^((interne|unsere|our) )?${blacklist}$`,
  '(black ?listed|geblacklistet|geblacklisted)',
].map(toPattern);

const denials: ReadonlySet<string> = new Set(
  words('kein keine keinen nicht no not never non nie niet geen pas aucun aucune', 'nessun nessuna sin ohne without'),
);

const ended =
  /(?:^|_)(?:zurueckgezogen|zurueckgenommen|withdrawn|dropped|settled|beigelegt|aufgehoben|removed|entfernt)/;

/** `clause`: as a key. `loeschung_verlangt`, `hat_anwalt_eingeschaltet`, `auf_blacklist`; not `kein_loeschantrag` */
export function isDemand(clause: string): boolean {
  const isAsserted = (pattern: RegExp) => {
    const found = pattern.exec(clause);
    return (
      found !== null &&
      !clause
        .slice(0, found.index)
        .split('_')
        .some((word) => denials.has(word))
    );
  };
  return demands.some(isAsserted) || (!ended.test(clause) && claims.some(isAsserted));
}
