// Die Wörter der Regeln.

/** @type {typeof import("../../../../web/static/lesson_texts.js").LESSONS} */
export const LESSONS = {
  ingenious: {
    lay: {
      title: "Lege einen Stein",
      text:
        "Wenn du am Zug bist, legst du einen deiner Steine auf zwei freie Felder nebeneinander. Jede Hälfte hat eine " +
        "Farbe und deren Symbol. In der ersten Runde muss dein Stein an ein aufgedrucktes Symbol grenzen, an das noch " +
        "kein anderer Stein grenzt.",
    },
    layAlone: {
      title: "Lege deinen Stein",
      text:
        "Du hast immer nur einen Stein. Du legst ihn auf zwei freie Felder nebeneinander und bekommst den nächsten. Jede " +
        "Hälfte hat eine Farbe und deren Symbol. Der erste Stein muss an ein aufgedrucktes Symbol grenzen.",
    },
    score: {
      title: "Zähle seine Farben",
      text:
        "Sieh von jeder Hälfte in die fünf Richtungen, in denen nicht die andere Hälfte liegt: Jedes Feld derselben " +
        "Farbe ist ein Punkt für diese Farbe, bis das erste andere kommt. Der umrandete Stein brachte 5 Punkte in Blau: " +
        "vier Felder rechts von ihm und eins über ihm.",
    },
    lowest: {
      title: "Die niedrigste Farbe entscheidet",
      text:
        "Jede Farbe hat ihren eigenen Zählstein. Am Ende gewinnt, wessen niedrigste Farbe höher steht; bei Gleichstand " +
        "entscheidet die nächstniedrigste. Hier stehen 16 in Blau und noch 0 in vier Farben.",
    },
    lowestAlone: {
      title: "Deine niedrigste Farbe ist dein Ergebnis",
      text:
        "Jede Farbe hat ihren eigenen Zählstein, von 0 bis 36. Dein Ergebnis ist am Ende der niedrigste: Bring ihn so weit " +
        "wie möglich. Hier ist es Grün mit 11. Jeder Zählstein hält zuerst bei 18 an: Was ein Stein darüber hinaus " +
        "brächte, verfällt.",
    },
    lowestPartners: {
      title: "Ihr zählt zusammen",
      text:
        "Dein Partner und du, ihr zählt auf derselben Tafel. Jede Farbe hat ihren eigenen Zählstein, von 0 bis 36; er hält " +
        "zuerst bei 18 an: Was ein Stein darüber hinaus brächte, verfällt. Am Ende gewinnt die Seite, deren niedrigste " +
        "Farbe höher steht; bei Gleichstand entscheidet die nächstniedrigste. Hier habt ihr 35 in Gelb, aber nur 3 in Rot.",
    },
    full: {
      title: "Genial!",
      text:
        "Erreicht ein Zählstein das letzte Feld, wie hier der blaue, legst du sofort noch einen Stein. Zeigt am Ende deines " +
        "Zuges keiner deiner Steine deine niedrigste Farbe, darfst du alle tauschen. Das Spiel endet, wenn keine zwei " +
        "freien Felder mehr nebeneinanderliegen.",
    },
    fullPartners: {
      title: "Genial!",
      text:
        "Erreicht ein Zählstein die 18, wie hier der blaue, oder später die 36, wird sofort noch ein Stein gelegt, vom " +
        "selben Bänkchen. Zeigt am Ende deines Zuges keiner deiner Steine die niedrigste Farbe deiner Seite, darfst du alle " +
        "tauschen. Das Spiel endet, wenn keine zwei freien Felder mehr nebeneinanderliegen.",
    },
    endAlone: {
      title: "Das Ende, und der Beutel des Tages",
      text:
        "Das Spiel endet, wenn keine zwei freien Felder mehr nebeneinanderliegen. Was noch im Beutel ist, siehst du immer. " +
        "Mit dem Beutel des Tages bekommen alle dieselben Steine in derselben Reihenfolge: Vergleicht eure Ergebnisse, " +
        "am Ende auch mit denen des Computers. Jeder Tag hat einen anderen Beutel.",
    },
  },
  loopit: {
    lay: {
      title: "Lege Steine",
      text:
        "Wenn du am Zug bist, legst du nacheinander einen bis drei deiner Steine. Steine werden nie gedreht. Jeder muss " +
        "eine Linie fortsetzen; grenzt er an einen Stein, endet dort bei beiden eine Linie oder bei keinem. Am Rand " +
        "endet keine Linie.",
    },
    score: {
      title: "Jeder Stein zählt",
      text:
        "Ein Stein zählt seinen Wert und die Werte der Steine, mit denen ihn seine Linien verbinden. Die umrandete 8 " +
        "brachte 18 Punkte: ihre eigenen 8, die 4 über ihr und die 6 neben ihr.",
    },
    factors: {
      title: "Vielfache",
      text:
        "Ein farbiges Feld vervielfacht den Wert des Steins, der darauf gelegt wird: 2× verdoppelt ihn, 6× zählt ihn " +
        "sechsfach. Die Werte der Nachbarn kommen unverändert dazu. Wer eine Linie auf ein hohes Vielfaches zu baut, " +
        "sollte auch zuerst dort sein.",
    },
    end: {
      title: "Das Ende",
      text:
        "Wer keinen Stein legen kann, darf alle zurückwerfen und neue ziehen. Das Spiel endet, wenn kein Stein, der " +
        "noch übrig ist, irgendwo passt. Die meisten Punkte gewinnen: hier 310 zu 304.",
    },
  },
};

/** @type {typeof import("../../../../web/static/lesson_texts.js").RULES} */
export const RULES = {
  title: "Die Regeln von",
  next: "Weiter",
  before: "Zurück",
  whole: "Alle Regeln",
  close: "Schließen",
};
