// Die Wörter der Regeln.

/** @type {typeof import("../../../../web/static/lesson_texts.js").LESSONS} */
export const LESSONS = {
  ingenious: [
    {
      title: "Lege einen Stein",
      text:
        "Wenn du am Zug bist, legst du einen deiner Steine auf zwei freie Felder nebeneinander. Jede Hälfte hat eine " +
        "Farbe und deren Symbol. In der ersten Runde muss dein Stein an ein aufgedrucktes Symbol grenzen, an das noch " +
        "kein anderer Stein grenzt.",
      view: "15 60 630 546",
    },
    {
      title: "Zähle seine Farben",
      text:
        "Sieh von jeder Hälfte in die fünf Richtungen, in denen nicht die andere Hälfte liegt: Jedes Feld derselben " +
        "Farbe ist ein Punkt für diese Farbe, bis das erste andere kommt. Der umrandete Stein brachte 5 Punkte in Blau: " +
        "vier Felder rechts von ihm und eins über ihm.",
      view: "290 250 330 240",
    },
    {
      title: "Die niedrigste Farbe entscheidet",
      text:
        "Jede Farbe hat ihren eigenen Zählstein. Am Ende gewinnt, wessen niedrigste Farbe höher steht; bei Gleichstand " +
        "entscheidet die nächstniedrigste. Hier stehen 16 in Blau und noch 0 in vier Farben.",
      view: "650 66 344 268",
    },
    {
      title: "Genial!",
      text:
        "Erreicht ein Zählstein das letzte Feld, legst du sofort noch einen Stein. Zeigt am Ende deines Zuges keiner " +
        "deiner Steine deine niedrigste Farbe, darfst du alle tauschen. Das Spiel endet, wenn keine zwei freien Felder " +
        "mehr nebeneinanderliegen.",
      view: "",
    },
  ],
  loopit: [
    {
      title: "Lege Steine",
      text:
        "Wenn du am Zug bist, legst du nacheinander einen bis drei deiner Steine. Steine werden nie gedreht. Jeder muss " +
        "eine Linie fortsetzen; grenzt er an einen Stein, endet dort bei beiden eine Linie oder bei keinem. Am Rand " +
        "endet keine Linie.",
      view: "270 230 200 240",
    },
    {
      title: "Jeder Stein zählt",
      text:
        "Ein Stein zählt seinen Wert und die Werte der Steine, mit denen ihn seine Linien verbinden. Die umrandete 8 " +
        "brachte 18 Punkte: ihre eigenen 8, die 4 über ihr und die 6 neben ihr.",
      view: "270 230 200 140",
    },
    {
      title: "Vielfache",
      text:
        "Ein farbiges Feld vervielfacht den Wert des Steins, der darauf gelegt wird: 2× verdoppelt ihn, 6× zählt ihn " +
        "sechsfach. Die Werte der Nachbarn kommen unverändert dazu. Wer eine Linie auf ein hohes Vielfaches zu baut, " +
        "sollte auch zuerst dort sein.",
      view: "14 60 580 580",
    },
    {
      title: "Das Ende",
      text:
        "Wer keinen Stein legen kann, darf alle zurückwerfen und neue ziehen. Das Spiel endet, wenn kein Stein, der " +
        "noch übrig ist, irgendwo passt. Die meisten Punkte gewinnen.",
      view: "",
    },
  ],
};

/** @type {typeof import("../../../../web/static/lesson_texts.js").RULES} */
export const RULES = {
  title: "Die Regeln von",
  next: "Weiter",
  before: "Zurück",
  whole: "Alle Regeln",
  close: "Schließen",
};
