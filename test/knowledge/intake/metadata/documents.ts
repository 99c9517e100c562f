import type { Domain } from '../../../../src/knowledge/catalogue/document.ts'

/**
 * A document that ships in a Debian package, and what a person who looked at it says of it. Several right answers stand
 * apart by ` | `; an empty one: the document does not say. Years are those that the document states of itself, not the day
 * on which its package was built.
 */
export type LabelledDocument = readonly [
  packageName: string,
  /** Below the root of the package. */
  path: string,
  title: string,
  author: string,
  year: string,
  domains: readonly Domain[]
]

const TECHNOLOGY: readonly Domain[] = ['Technology']
const SECURITY: readonly Domain[] = ['Security', 'Technology']
const RADIO: readonly Domain[] = ['Communications', 'Technology']
const POWER: readonly Domain[] = ['Power Systems', 'Technology']
const POSITION: readonly Domain[] = ['Navigation', 'Technology']
const LEARNING: readonly Domain[] = ['Foundational Skills', 'Technology']
const MEDICINE: readonly Domain[] = ['Medical', 'Technology']
/** Statistics of patients and outbreaks. */
const HEALTH_FIGURES: readonly Domain[] = ['Medical', 'Foundational Skills', 'Technology']
const MAPS_AND_FIGURES: readonly Domain[] = ['Navigation', 'Foundational Skills', 'Technology']
const MACHINES: readonly Domain[] = ['Tools & Equipment', 'Technology']
const MONEY: readonly Domain[] = ['Logistics', 'Foundational Skills', 'Operations', 'Technology']
const BREWING: readonly Domain[] = ['Food Systems', 'Preservation & Storage']
const CAVES: readonly Domain[] = ['Navigation', 'Wilderness Skills', 'Technology']
const LIVING_THINGS: readonly Domain[] = ['Foundational Skills', 'Technology', 'Agriculture & Livestock']
const SOCIETY: readonly Domain[] = ['Civil Organization']
const PROJECT: readonly Domain[] = ['Civil Organization', 'Technology']
const CRAFT: readonly Domain[] = ['Vehicles', 'Technology']

const DOC = 'usr/share/doc'
const VIGNETTES = 'usr/lib/R/site-library'
const R = 'usr/share/R/doc/manual'
const SURVIVAL = 'usr/lib/R/library/survival/doc'

export const PDF_DOCUMENTS: readonly LabelledDocument[] = [
  [
    'auto-multiple-choice-doc-pdf',
    `${DOC}/auto-multiple-choice/auto-multiple-choice.en.pdf`,
    'Auto Multiple Choice | Auto Multiple Choice: Design of MCQ tests with automated correction and grading',
    'Alexis Bienvenüe, Anirvan Sarkar, Hiroto Kagotani, and Frédéric Bréal | Alexis Bienvenüe',
    '2023 | 2022',
    LEARNING
  ],
  [
    'auto-multiple-choice-doc-pdf',
    `${DOC}/auto-multiple-choice/latex/automultiplechoice.pdf`,
    'The automultiplechoice package',
    'Alexis Bienvenüe',
    '2023',
    LEARNING
  ],
  [
    'avrdude-doc',
    `${DOC}/avrdude/avrdude.pdf`,
    'AVRDUDE | AVRDUDE: A program for download/uploading AVR microcontroller flash and eeprom',
    'Brian S. Dean',
    '2023',
    TECHNOLOGY
  ],
  ['bash-doc', `${DOC}/bash/bashref.pdf`, 'Bash Reference Manual', 'Chet Ramey, Brian Fox', '2022', TECHNOLOGY],
  [
    'bash-doc',
    `${DOC}/bash/bash.pdf`,
    'BASH(1) | bash − GNU Bourne-Again SHell | Bash',
    ' | Brian Fox, Chet Ramey | Free Software Foundation',
    '2022',
    TECHNOLOGY
  ],
  [
    'bird2-doc',
    `${DOC}/bird2/bird.pdf`,
    'BIRD 2.0 User’s Guide | BIRD User’s Guide',
    'Ondrej Filip, Martin Mares, Maria Matejka, Ondrej Zajicek',
    '',
    TECHNOLOGY
  ],
  [
    'bird2-doc',
    `${DOC}/bird2/prog.pdf`,
    'BIRD Programmer’s Documentation',
    'Ondrej Filip, Martin Mares, Ondrej Zajicek, Maria Matejka',
    '',
    TECHNOLOGY
  ],
  [
    'brewtarget',
    'usr/share/brewtarget/manual-en.pdf',
    'Brewtarget',
    'Maxime Lavigne | Maxime Lavigne, Philip G. Lee',
    '',
    BREWING
  ],
  [
    'ddd-doc',
    `${DOC}/ddd/ddd.pdf`,
    'Debugging with DDD | Debugging with DDD: User’s Guide and Reference Manual',
    'Andreas Zeller | Andreas Zeller et. al.',
    '2009 | 2004',
    TECHNOLOGY
  ],
  [
    'ddd-doc',
    `${DOC}/ddd/ddd-themes.pdf`,
    'Writing DDD Themes | Writing DDD Themes: User’s Guide and Reference Manual',
    'Andreas Zeller',
    '2001',
    TECHNOLOGY
  ],
  [
    'debian-faq',
    `${DOC}/debian/FAQ/debian-faq.en.pdf`,
    'The Debian GNU/Linux FAQ',
    ' | Software in the Public Interest',
    '2021 | 2022',
    TECHNOLOGY
  ],
  [
    'debian-history',
    `${DOC}/debian-history/docs/project-history.en.pdf`,
    'A Brief History of Debian',
    'Debian Documentation Team | Debian Publicity Team | Debian Documentation Team, Debian Publicity Team',
    '2023 | 2020',
    PROJECT
  ],
  [
    'debian-policy',
    `${DOC}/debian-policy/fhs/fhs-3.0.pdf`,
    'Filesystem Hierarchy Standard',
    'LSB Workgroup, The Linux Foundation | LSB Workgroup',
    '2015',
    TECHNOLOGY
  ],
  [
    'debian-policy',
    `${DOC}/debian-policy/policy.pdf`,
    'Debian Policy Manual',
    'The Debian Policy Mailing List',
    '2022',
    TECHNOLOGY
  ],
  [
    'debian-reference-en',
    'usr/share/debian-reference/debian-reference.en.pdf',
    'Debian Reference',
    'Osamu Aoki',
    '2021 | 2023',
    TECHNOLOGY
  ],
  [
    'debmake-doc',
    `${DOC}/debmake-doc/debmake-doc.en.pdf`,
    'Guide for Debian Maintainers',
    'Osamu Aoki',
    '2021 | 2022',
    TECHNOLOGY
  ],
  [
    'developers-reference',
    'usr/share/developers-reference/developers-reference.pdf',
    'Debian Developer’s Reference',
    'Developer’s Reference Team',
    '2023',
    PROJECT
  ],
  [
    'dicomscope-doc',
    `${DOC}/dicomscope/dscs360.pdf`,
    'DICOMscope 3.6.0 | DICOM Conformance Statement | DICOM Conformance Statement: DICOMscope 3.6.0',
    'Eichelberg, Kleber, Riesmeier, Schröter, Thiel | M. Eichelberg, K. Kleber, J. Riesmeier, A. Schröter, A. Thiel',
    '2004 | ',
    MEDICINE
  ],
  [
    'dicomscope-doc',
    `${DOC}/dicomscope/dsum360.pdf`,
    'DICOMscope 3.6.0 | User Manual DICOMscope 3.6.0',
    'Eichelberg, Kleber, Riesmeier, Schröter, Thiel | M. Eichelberg, K. Kleber, J. Riesmeier, A. Schröter, A. Thiel',
    '2004',
    MEDICINE
  ],
  ['drbd-doc', `${DOC}/drbd-doc/drbd-users-guide.pdf`, 'The DRBD User’s Guide', '', '', TECHNOLOGY],
  [
    'dvdisaster-doc',
    `${DOC}/dvdisaster/manual.pdf`,
    'The dvdisaster User’s Manual | dvdisaster User’s Manual',
    'Carsten Gnörlich',
    '2015',
    TECHNOLOGY
  ],
  [
    'elastix-doc',
    `${DOC}/elastix/manual.pdf`,
    'elastix, the manual | elastix: the manual',
    'Stefan Klein and Marius Staring',
    '2022',
    MEDICINE
  ],
  [
    'expeyes-doc-en',
    'usr/share/expeyes/doc/en-eyes.pdf',
    'expEYES | expEYES: Experiments for Young Engineers and Scientists | expEYES User Manual',
    ' | PHOENIX Project',
    '2011',
    LEARNING
  ],
  [
    'expeyes-doc-en',
    'usr/share/expeyes/doc/en-eyesj-progman.pdf',
    'ExpEYES-Junior Programmer’s Manual | ExpEYES-Junior: Programmer’s Manual',
    'Ajith Kumar B.P | Ajith Kumar B.P.',
    '2013',
    LEARNING
  ],
  [
    'expeyes-doc-en',
    'usr/share/expeyes/doc/en-eyesj.pdf',
    'expEYES Junior | expEYES Junior User’s Manual | expEYES Junior: User’s Manual',
    ' | PHOENIX Project',
    '',
    LEARNING
  ],
  [
    'fai-doc',
    `${DOC}/fai-doc/fai-guide.pdf`,
    'FAI Guide (Fully Automatic Installation) | FAI Guide',
    'Thomas Lange',
    ' | 2022',
    TECHNOLOGY
  ],
  [
    'fasta3-doc',
    `${DOC}/fasta3/fasta_guide.pdf`,
    'The FASTA program package',
    ' | W. R. Pearson | William R. Pearson',
    '2022',
    LIVING_THINGS
  ],
  [
    'firehol-doc',
    `${DOC}/firehol/firehol-manual.pdf`,
    'FireHOL Reference',
    'Costa Tsaousis, Phil Whineray | Costa Tsaousis; Phil Whineray',
    '2017 | 2022',
    SECURITY
  ],
  [
    'form-doc',
    `${DOC}/form-doc/manual.pdf`,
    'FORM version 4.3 Reference manual | FORM | FORM: Reference manual | FORM version 4.3: Reference manual',
    'J.A.M. Vermaseren, T. Kaneko, J. Kuipers, B. Ruijl, M. Tentyukov, T. Ueda and J. Vollinga',
    '2023',
    LEARNING
  ],
  ['freedv', `${DOC}/freedv/USER_MANUAL.pdf`, 'FreeDV User Manual', '', '2023', RADIO],
  [
    'geotranz-doc',
    `${DOC}/geotranz-doc/MSP_Geotrans_Programmers_Guide.pdf`,
    'Programmer’s Guide for MSP Geographic Translator (GEOTRANS) Version 3.7 | Mensuration Services Program (MSP) Programmer’s Guide for MSP Geographic Translator (GEOTRANS) Version 3.7 | MSP Geotrans Programmers Guide | Programmer’s Guide for MSP Geographic Translator (GEOTRANS) | MSP Geotrans Programmers Guide 3 7',
    ' | Lockheed Martin IS&GS | National Geospatial-Intelligence Agency',
    '2016',
    POSITION
  ],
  [
    'geotranz-doc',
    `${DOC}/geotranz-doc/MSP_Geotrans_Users_Guide.pdf`,
    'User’s Guide for MSP Geographic Translator (GEOTRANS) Version 3.7 | Mensuration Services Program (MSP) User’s Guide for MSP Geographic Translator (GEOTRANS) Version 3.7 | MSP Geotrans Users Guide | User’s Guide for MSP Geographic Translator (GEOTRANS) | MSP Geotrans Users Guide 3 7',
    ' | Lockheed Martin IS&GS | National Geospatial-Intelligence Agency',
    '2016',
    POSITION
  ],
  [
    'geotranz-doc',
    `${DOC}/geotranz-doc/MSP_Geotrans_Release_Notes.pdf`,
    'Release Notes / Version Description Document for MSP Geographic Translator (GEOTRANS) Version 3.7 | Mensuration Services Program (MSP) Release Notes / Version Description Document for MSP Geographic Translator (GEOTRANS) Version 3.7 | MSP Geotrans Release Notes | MSP Geotrans Release Notes 3 7',
    ' | Lockheed Martin IS&GS | National Geospatial-Intelligence Agency',
    '2016',
    POSITION
  ],
  [
    'gle-graphics-manual',
    'usr/share/gle-graphics/doc/gle-manual.pdf',
    'Graphics Layout Engine | GLE 4.3.3 User Manual | Graphics Layout Engine: GLE 4.3.3 User Manual | Graphics Layout Engine GLE 4.3.3 User Manual',
    'C. Pugmire, St.M. Mundt, V.P. LaBella, J. Struyf',
    '2022',
    TECHNOLOGY
  ],
  [
    'gnuplot-doc',
    `${DOC}/gnuplot/gnuplot.pdf`,
    'gnuplot documentation | gnuplot 5.4 | gnuplot 5.4: An Interactive Plotting Program | gnuplot 5.4 An Interactive Plotting Program',
    'Thomas Williams & Colin Kelley',
    '2022',
    LEARNING
  ],
  [
    'gpredict',
    `${DOC}/gpredict/gpredict-user-manual.pdf`,
    'Gpredict User Manual',
    'Alexandru Csete',
    '2017',
    ['Communications', 'Navigation', 'Technology']
  ],
  ['gpsbabel-doc', `${DOC}/gpsbabel/gpsbabel.pdf`, 'GPSBabel Documentation', '', '', POSITION],
  [
    'gpsman',
    `${DOC}/gpsman/GPSMandoc.pdf`,
    'GPS Manager User Manual | GPS Manager: User Manual | GPS Manager',
    'Miguel Filgueiras',
    '2013',
    POSITION
  ],
  [
    'gputils-doc',
    `${DOC}/gputils-doc/gputils.pdf`,
    'gputils 1.4.0 | gputils',
    'James Bowman, Craig Franklin, David Barnett, Borut Ražem and Molnár Károly',
    '2014',
    TECHNOLOGY
  ],
  [
    'gri-pdf-doc',
    `${DOC}/gri/gri.pdf`,
    'Gri | Gri: A Program to Make Science Graphs | Gri A Program to Make Science Graphs',
    'Dan E. Kelley | Dan Kelley',
    '2015',
    LEARNING
  ],
  ['hackrf-doc', `${DOC}/hackrf/hackrf.pdf`, 'HackRF', 'Great Scott Gadgets', '2022', RADIO],
  ['ledger', `${DOC}/ledger/ledger3.pdf`, 'Ledger: Command-Line Accounting', 'John Wiegley', '2023', MONEY],
  [
    'lifelines-doc',
    `${DOC}/lifelines-doc/ll-reportmanual.pdf`,
    'The LifeLines Programming Subsystem and Report Generator | The LifeLines Programming Subsystem and Report Generator: LifeLines Version 3.0.61',
    'Thomas T. Wetmore, IV | Thomas T. Wetmore',
    '',
    TECHNOLOGY
  ],
  [
    'lifelines-doc',
    `${DOC}/lifelines-doc/ll-userguide.pdf`,
    'LifeLines Documentation | LifeLines Documentation: LifeLines Version 3.0.61',
    'Thomas T. Wetmore, IV | Thomas T. Wetmore',
    '',
    TECHNOLOGY
  ],
  [
    'linuxcnc-doc-en',
    `${DOC}/linuxcnc/LinuxCNC_Getting_Started.pdf`,
    'Getting Started | LinuxCNC Getting Started | Getting Started V2.9.0~pre1+git20230208.f1270d6ed7 | Getting Started V2.9.0',
    '',
    '2026',
    MACHINES
  ],
  [
    'linuxcnc-doc-en',
    `${DOC}/linuxcnc/LinuxCNC_Integrator.pdf`,
    'Integrator Information | LinuxCNC Integrator | Integrator Information V2.9.0~pre1+git20230208.f1270d6ed7 | Integrator Information V2.9.0',
    '',
    '2026',
    MACHINES
  ],
  [
    'live-manual-pdf',
    `${DOC}/live-manual/pdf/live-manual.portrait.en.a4.pdf`,
    'Live Systems Manual',
    'Live Systems Project',
    ' | 2015',
    TECHNOLOGY
  ],
  [
    'maint-guide',
    `${DOC}/maint-guide/maint-guide.en.pdf`,
    'Debian New Maintainers’ Guide',
    'Josip Rodin and Osamu Aoki',
    '2015',
    TECHNOLOGY
  ],
  [
    'malaga-doc',
    `${DOC}/malaga-doc/malaga.pdf`,
    'Malaga 7.12 | Malaga 7.12: User’s and Programmer’s Manual | Malaga 7.12 User’s and Programmer’s Manual | Malaga',
    'Björn Beutel',
    '1995',
    LEARNING
  ],
  [
    'menhir-doc',
    `${DOC}/menhir/manual.pdf`,
    'Menhir Reference Manual',
    'François Pottier, Yann Régis-Gianas',
    '2022',
    TECHNOLOGY
  ],
  [
    'mrbayes-doc',
    `${DOC}/mrbayes/Manual_MrBayes_v3.2.pdf`,
    'MrBayes version 3.2 Manual: Tutorials and Model Summaries | Manual MrBayes v3.2',
    'Fredrik Ronquist, John Huelsenbeck, Maxim Teslenko and Johan Nylander',
    '2019',
    LIVING_THINGS
  ],
  [
    'muttprint-manual',
    `${DOC}/muttprint/manual/manual-en.pdf`,
    'Muttprint - User’s guide | Muttprint: User’s guide',
    'Bernhard Walle',
    '',
    TECHNOLOGY
  ],
  [
    'ngspice-doc',
    `${DOC}/ngspice-doc/manual.pdf`,
    'Ngspice User’s Manual | ngspice user manual',
    'Holger Vogt, Giles Atkinson, Paolo Nenzi, Dietmar Warning | Paolo Nenzi, Holger Vogt, Dietmar Warning e.a.',
    '2023',
    TECHNOLOGY
  ],
  [
    'nut-doc',
    `${DOC}/nut-doc/pdf/developer-guide.pdf`,
    'Network UPS Tools Developer Guide',
    'Russell Kroll, Arnaud Quette, Charles Lepple and Peter Selinger',
    '2023',
    POWER
  ],
  [
    'nut-doc',
    `${DOC}/nut-doc/pdf/packager-guide.pdf`,
    'NUT Packager and Integrators Guide',
    'Arnaud Quette',
    '2023',
    POWER
  ],
  [
    'nut-doc',
    `${DOC}/nut-doc/pdf/user-manual.pdf`,
    'Network UPS Tools User Manual',
    'Russell Kroll, Arnaud Quette and Arjen de Korte',
    '2023',
    POWER
  ],
  [
    'packaging-tutorial',
    `${DOC}/packaging-tutorial/packaging-tutorial.pdf`,
    'Debian Packaging Tutorial',
    'Lucas Nussbaum',
    '2021',
    TECHNOLOGY
  ],
  [
    'r-cran-ape',
    `${VIGNETTES}/ape/doc/MoranI.pdf`,
    'Moran’s Autocorrelation Coefficient in Comparative Methods | Moran’s Autocorrelation Coecient in Comparative Methods',
    'Emmanuel Paradis',
    '2023',
    LIVING_THINGS
  ],
  [
    'r-cran-coin',
    `${VIGNETTES}/coin/doc/LegoCondInf.pdf`,
    'A Lego System for Conditional Inference',
    'Torsten Hothorn, Kurt Hornik, Mark A. van de Wiel and Achim Zeileis',
    '2006',
    LEARNING
  ],
  [
    'r-cran-effects',
    `${VIGNETTES}/effects/doc/predictor-effects-gallery.pdf`,
    'Predictor Effects Graphics Gallery',
    'John Fox and Sanford Weisberg',
    '2020',
    LEARNING
  ],
  [
    'r-cran-epi',
    `${VIGNETTES}/Epi/doc/yll.pdf`,
    'Years of Life Lost (YLL) to disease | Years of Life Lost (YLL) to disease: Diabetes in DK as example | Years of Life Lost (YLL) to disease Diabetes in DK as example',
    'Bendix Carstensen | SDC',
    '2022 | 2017',
    HEALTH_FIGURES
  ],
  [
    'r-cran-gstat',
    `${VIGNETTES}/gstat/doc/gstat.pdf`,
    'The meuse data set: a brief tutorial for the gstat R package',
    'Edzer Pebesma',
    '2022',
    MAPS_AND_FIGURES
  ],
  [
    'r-cran-gstat',
    `${VIGNETTES}/gstat/doc/prs.pdf`,
    'The pairwise relative semivariogram',
    'Edzer Pebesma',
    '2011',
    MAPS_AND_FIGURES
  ],
  [
    'r-cran-lme4',
    `${VIGNETTES}/lme4/doc/lmer.pdf`,
    'Fitting Linear Mixed-Effects Models using lme4',
    'Douglas Bates, Martin Mächler, Ben Bolker, Steve Walker | Douglas Bates, Martin Mächler, Benjamin M. Bolker, Steven C. Walker',
    '2015',
    LEARNING
  ],
  [
    'r-cran-maptools',
    `${VIGNETTES}/maptools/doc/combine_maptools.pdf`,
    'Combining Spatial Data',
    'Roger Bivand',
    '2022',
    MAPS_AND_FIGURES
  ],
  [
    'r-cran-sp',
    `${VIGNETTES}/sp/doc/intro_sp.pdf`,
    'Classes and Methods for Spatial Data: the sp Package',
    'Edzer Pebesma, Roger S. Bivand',
    '2005',
    MAPS_AND_FIGURES
  ],
  [
    'r-cran-sp',
    `${VIGNETTES}/sp/doc/over.pdf`,
    'Map overlay and spatial aggregation in sp',
    'Edzer Pebesma',
    '2023',
    MAPS_AND_FIGURES
  ],
  [
    'r-cran-surveillance',
    `${VIGNETTES}/surveillance/doc/surveillance.pdf`,
    'Getting started with outbreak detection',
    'Michael Höhle and Andrea Riebler and Michaela Paul',
    '2007',
    HEALTH_FIGURES
  ],
  [
    'r-cran-surveillance',
    `${VIGNETTES}/surveillance/doc/monitoringCounts.pdf`,
    'Monitoring Count Time Series in R: Aberration Detection in Public Health Surveillance',
    'Maëlle Salmon, Dirk Schumacher, Michael Höhle',
    '2016',
    HEALTH_FIGURES
  ],
  [
    'r-cran-survival',
    `${SURVIVAL}/survival.pdf`,
    'A package for survival analysis in R',
    'Terry Therneau',
    '2023',
    HEALTH_FIGURES
  ],
  ['r-cran-survival', `${SURVIVAL}/population.pdf`, 'Population contrasts', 'Terry M Therneau', '2023', HEALTH_FIGURES],
  [
    'r-cran-vegan',
    `${VIGNETTES}/vegan/doc/diversity-vegan.pdf`,
    'Vegan: ecological diversity',
    'Jari Oksanen',
    '2022',
    LIVING_THINGS
  ],
  [
    'r-cran-vegan',
    `${VIGNETTES}/vegan/doc/intro-vegan.pdf`,
    'Vegan: an introduction to ordination',
    'Jari Oksanen',
    '2022',
    LIVING_THINGS
  ],
  [
    'r-cran-xtable',
    `${VIGNETTES}/xtable/doc/xtableGallery.pdf`,
    'The xtable Gallery',
    'Jonathan Swinton and others | Jonathan Swinton',
    '2019',
    LEARNING
  ],
  [
    'r-doc-pdf',
    `${R}/R-FAQ.pdf`,
    'R FAQ | R FAQ: Frequently Asked Questions on R',
    'Kurt Hornik and the R Core Team | Kurt Hornik',
    '2022',
    LEARNING
  ],
  ['r-doc-pdf', `${R}/R-admin.pdf`, 'R Installation and Administration', 'R Core Team', '2022', TECHNOLOGY],
  ['r-doc-pdf', `${R}/R-ints.pdf`, 'R Internals', 'R Core Team', '2022', TECHNOLOGY],
  [
    'r-doc-pdf',
    `${R}/R-intro.pdf`,
    'An Introduction to R | An Introduction to R: Notes on R: A Programming Environment for Data Analysis and Graphics',
    'W. N. Venables, D. M. Smith and the R Core Team | W. N. Venables, D. M. Smith',
    '2022',
    LEARNING
  ],
  ['r-doc-pdf', `${R}/R-lang.pdf`, 'R Language Definition', 'R Core Team', '2022', LEARNING],
  ['rtklib-doc', `${DOC}/rtklib-doc/manual_2.4.2.pdf`, 'RTKLIB ver. 2.4.2 Manual', ' | T. Takasu', '2013', POSITION],
  ['sdcc-doc', `${DOC}/sdcc-doc/sdccman.pdf`, 'SDCC Compiler User Guide', 'SDCC development team', '2022', TECHNOLOGY],
  [
    'stealth-doc',
    `${DOC}/stealth-doc/manual/pdf/stealth.pdf`,
    'Stealth V.4.03.03 | Stealth',
    'Frank B. Brokken',
    '2022',
    SECURITY
  ],
  ['survex', `${DOC}/survex/manual.pdf`, 'Survex 1.4.4 Manual', 'Olly Betts, Wookey | Olly Betts', '2018', CAVES],
  ['tablix2-doc', `${DOC}/tablix2/manual.pdf`, 'Tablix User’s Manual', 'Tomaž Šolc', '2007 | 2006', LEARNING],
  ['tablix2-doc', `${DOC}/tablix2/modules.pdf`, 'Tablix modules HOW-TO, part 1', 'Tomaž Šolc', '2007 | 2005', LEARNING],
  [
    'therion-doc',
    `${DOC}/therion/thbook.pdf`,
    'The Therion Book | The Therion Book 6.1.6',
    'Stacho Mudrák, Martin Budaj',
    '2023 | 2021',
    CAVES
  ],
  ['tipa-doc', `${DOC}/tipa/tipaman.pdf`, 'TIPA Manual', 'Rei Fukui', '2004', LEARNING],
  [
    'w1retap-doc',
    `${DOC}/w1retap/w1retap.pdf`,
    'W1RETAP | W1RETAP User Guide | W1RETAP: A One-wire sensor logging application',
    'Jonathan Hudson',
    '2015',
    TECHNOLOGY
  ],
  [
    'xorg-docs',
    `${DOC}/xorg-docs/icccm/icccm.pdf`,
    'Inter-Client Communication Conventions Manual | Inter-Client Communication Conventions Manual - X Consortium Standard',
    'David Rosenthal and Stuart W. Marks | David Rosenthal',
    '1994',
    TECHNOLOGY
  ],
  [
    'xorg-docs',
    `${DOC}/xorg-docs/Xserver/analysis.pdf`,
    'Analysis of the X Protocol for Security Concerns',
    'David P. Wiggins',
    '1996',
    SECURITY
  ],
  ['xorg-docs', `${DOC}/xorg-docs/fonts/fonts.pdf`, 'Fonts in X11R7.7', 'Juliusz Chroboczek', '2012', TECHNOLOGY],
  [
    'yorick-doc',
    `${DOC}/yorick-doc/manual/yorick.pdf`,
    'Yorick: An Interpreted Language',
    'David H. Munro',
    '2005',
    LEARNING
  ],
  ['zsh-doc', `${DOC}/zsh-common/zsh.pdf`, 'The Z Shell Manual', 'Paul Falstad', '2022', TECHNOLOGY],
  [
    'installation-guide-amd64',
    `${DOC}/installation-guide-amd64/en/install.en.pdf`,
    'Debian GNU/Linux Installation Guide',
    ' | the Debian Installer team',
    '2023',
    TECHNOLOGY
  ]
]

export const OTHER_DOCUMENTS: readonly LabelledDocument[] = [
  [
    'debmake-doc',
    `${DOC}/debmake-doc/debmake-doc.en.epub`,
    'Guide for Debian Maintainers',
    'Osamu Aoki',
    '2022 | 2021',
    TECHNOLOGY
  ],
  [
    'ubuntu-packaging-guide-epub',
    `${DOC}/ubuntu-packaging-guide-epub/ubuntu-packaging-guide.epub`,
    'Ubuntu Packaging Guide',
    'Ubuntu Developers',
    '2021',
    TECHNOLOGY
  ],
  [
    'developers-reference',
    'usr/share/developers-reference/developers-reference.epub',
    'Debian Developer’s Reference | developers-reference',
    'Developer’s Reference Team',
    '2023',
    PROJECT
  ],
  [
    'debian-policy',
    `${DOC}/debian-policy/policy.epub`,
    'Debian Policy Manual',
    'The Debian Policy Mailing List',
    '2022',
    TECHNOLOGY
  ],
  [
    'eyes17-manuals-en',
    `${DOC}/eyes17/en/eyes17.epub`,
    'expEYES-17',
    'Ajith Kumar B.P., Jithin B.P.',
    '2022',
    LEARNING
  ],
  [
    'live-manual-epub',
    `${DOC}/live-manual/epub/live-manual.en.epub`,
    'Live Systems Manual',
    'Live Systems Project',
    '2015',
    TECHNOLOGY
  ],
  [
    'debian-history',
    `${DOC}/debian-history/docs/project-history.en.epub`,
    'A Brief History of Debian',
    'Debian Documentation Team | Debian Publicity Team | Debian Documentation Team, Debian Publicity Team',
    '2023 | 2020',
    PROJECT
  ],
  [
    'anarchism',
    `${DOC}/anarchism/html/secJ2.html`,
    'J.2 What is direct action? | What is direct action?',
    '',
    '',
    SOCIETY
  ],
  [
    'anarchism',
    `${DOC}/anarchism/html/secC5.html`,
    'C.5 Why does Big Business get a bigger slice of profits? | Why does Big Business get a bigger slice of profits?',
    '',
    '',
    ['Civil Organization', 'Foundational Skills']
  ],
  [
    'harden-doc',
    `${DOC}/harden-doc/html/en-US/restrict-console-login.html`,
    '4.7. Restricting console login access | Restricting console login access',
    '',
    '',
    SECURITY
  ],
  [
    'gnumed-doc',
    `${DOC}/gnumed/user-manual/Gnumed/GmManualManagingAllergies.html`,
    'Managing Allergies and Intolerances | GmManualManagingAllergies',
    '',
    '',
    MEDICINE
  ],
  [
    'wsjtx-doc',
    `${DOC}/wsjtx/wsjtx-main-2.6.1.html`,
    'WSJT-X User Guide',
    'Joseph H Taylor, Jr, K1JT',
    '2021 | ',
    RADIO
  ],
  [
    'sailcut-doc',
    `${DOC}/sailcut/html/en/index.html`,
    'The Sailcut CAD Handbook',
    'Robert Lainé, Jeremy Lainé | Robert Lainé Jeremy Lainé',
    '2015 | 2007',
    CRAFT
  ],
  ['diceware-doc', `${DOC}/diceware-doc/html/readme.html`, 'diceware', ' | Uli Fouquet', '2022', SECURITY],
  ['diceware-doc', `${DOC}/diceware-doc/html/wordlists.html`, 'Wordlists', ' | Uli Fouquet', '2022', SECURITY],
  [
    'shorewall-doc',
    `${DOC}/shorewall-doc/html/MAC_Validation.html`,
    'MAC Verification',
    'Tom Eastep | Thomas M. Eastep',
    '2005 | 2023',
    SECURITY
  ],
  ['postfix-doc', `${DOC}/postfix/html/SASL_README.html`, 'Postfix SASL Howto', '', '', SECURITY],
  ['gammu-doc', `${DOC}/gammu/html/faq/phone.html`, 'Phone Support FAQ', ' | Michal Čihař', '2023', RADIO],
  ['abs-guide', `${DOC}/abs-guide/html/globbingref.html`, '18.2. Globbing | Globbing', '', '', TECHNOLOGY],
  [
    'argyll-doc',
    `${DOC}/argyll-doc/ColorManagement.html`,
    'Color Management | A Concise Introduction to Color Management and ICC profiles',
    'Graeme W. Gill',
    '',
    TECHNOLOGY
  ],
  [
    'phylip-doc',
    `${DOC}/phylip/html/doc/neighbor.html`,
    'neighbor | Neighbor -- Neighbor-Joining and UPGMA methods',
    ' | Joseph Felsenstein',
    '2014',
    LIVING_THINGS
  ],
  [
    'gnugo',
    `${DOC}/gnugo/html/gnugo_9.html`,
    '9. The Pattern Code | The Pattern Code | GNU Go Documentation: 9. The Pattern Code',
    '',
    ' | 2020',
    TECHNOLOGY
  ],
  [
    'privoxy',
    `${DOC}/privoxy/developer-manual/index.html`,
    'Privoxy Developer Manual',
    ' | Privoxy Developers',
    '2021',
    SECURITY
  ],
  [
    'festival-doc',
    `${DOC}/festival-doc/html/Building-a-new-voice.html`,
    'Building a new voice | Building a new voice (Festival Speech Synthesis System) | 24.2 Building a new voice',
    '',
    '',
    TECHNOLOGY
  ],
  [
    'png-definitive-guide',
    `${DOC}/png-definitive-guide/html/chapter02.html`,
    'Applications: WWW Browsers and Servers | Applications: WWW Browsers and Servers (PNG: The Definitive Guide) | Chapter 2. Applications: WWW Browsers and Servers',
    '',
    '',
    TECHNOLOGY
  ],
  [
    'qbrew',
    `${DOC}/qbrew/primer/primer-firstbrew.html`,
    'Your First Homebrew | The QBrew Brewing Primer: Your First Brew',
    'David Johnson | David Johnson, Stephen Lowrie',
    '2008',
    BREWING
  ],
  [
    'qbrew',
    `${DOC}/qbrew/primer/primer-equipment.html`,
    'Brewing Equipment | The QBrew Brewing Primer: Brewing Equipment',
    'David Johnson | David Johnson, Stephen Lowrie',
    '2008',
    BREWING
  ],
  [
    'xtrkcad-common',
    `${DOC}/xtrkcad-common/html/addM.html`,
    'Add Menu | 2.1 Add Menu',
    '',
    '',
    ['Technology', 'Vehicles', 'Tools & Equipment']
  ],
  [
    'mricron-doc',
    `${DOC}/mricron/html/stats.html`,
    'MRIcron Statistics Page | MRIcron Statistical Analysis Tutorial | MRIcron',
    '',
    '',
    HEALTH_FIGURES
  ],
  [
    'crrcsim-doc',
    `${DOC}/crrcsim-doc/thermals/thermalsim.html`,
    'Simulation of thermals',
    ' | Jens Wilhelm Wulf',
    ' | 2006',
    CRAFT
  ],
  ['flightgear', `${DOC}/flightgear/FlightGear-FAQ.html`, 'FlightGear FAQ', '', '', CRAFT],
  [
    'keepassxc',
    'usr/share/keepassxc/docs/KeePassXC_UserGuide.html',
    'KeePassXC: User Guide',
    'KeePassXC Team',
    '2022',
    SECURITY
  ],
  [
    'debian-kernel-handbook',
    `${DOC}/debian-kernel-handbook/kernel-handbook.html/ch-source.html`,
    'Chapter 2. Debian kernel source | Debian kernel source',
    '',
    '',
    TECHNOLOGY
  ],
  ['xboard', `${DOC}/xboard/FAQ.html`, 'XBoard and WinBoard: Frequently Asked Questions', '', '', TECHNOLOGY],
  [
    'rear-doc',
    `${DOC}/rear/relax-and-recover-user-guide.html`,
    'Relax-and-Recover user guide',
    'Dag Wieers, Jeroen Hoekx, Gratien Dhaese',
    '2025',
    TECHNOLOGY
  ],
  [
    'xnec2c',
    `${DOC}/xnec2c/xnec2c.html`,
    'Xnec2c User Manual | Xnec2c: Graphical NEC2 Antenna Simulation',
    'Neoklis | Neoklis Kyriazis',
    ' | 2013',
    RADIO
  ],
  [
    'hplip-doc',
    `${DOC}/hplip-doc/hpscan.html`,
    'HP Linux Imaging and Printing (HPLIP) Help | HPLIP HELP | Scanning with HP Device Manager | Scan (hp-scan)',
    ' | HP Development Company, L.P.',
    '2017',
    TECHNOLOGY
  ],
  [
    'borgbackup-doc',
    `${DOC}/borgbackup/html/deployment/automated-local.html`,
    'Automated backups to a local hard drive',
    ' | Jonas Borgström',
    '2023',
    TECHNOLOGY
  ],
  ['solfege-doc', `${DOC}/solfege/help/C/online-resources.html`, 'Online resources', '', '', LEARNING],
  [
    'doc-debian',
    `${DOC}/debian/constitution.txt.gz`,
    'Constitution for the Debian Project | Constitution for the Debian Project (v1.9)',
    '',
    '2022',
    SOCIETY
  ],
  [
    'doc-debian',
    `${DOC}/debian/social-contract.txt.gz`,
    'social-contract | Debian Social Contract',
    ' | Debian',
    '2022',
    PROJECT
  ],
  [
    'doc-debian',
    `${DOC}/debian/bug-reporting.txt.gz`,
    'How to report a bug in Debian using reportbug',
    '',
    '',
    TECHNOLOGY
  ],
  [
    'doc-debian',
    `${DOC}/debian/mailing-lists.txt.gz`,
    'Introduction to the Debian mailing lists',
    '',
    '',
    ['Communications', 'Civil Organization', 'Technology']
  ],
  [
    'vim-doc',
    `${DOC}/vim/vim-policy.txt.gz`,
    'Debian Packaging Policy for Vim',
    'Debian VIM Maintainers',
    '2021',
    TECHNOLOGY
  ],
  [
    'gpredict',
    `${DOC}/gpredict/time_keeping.txt`,
    'Notes on time keeping in gpredict',
    '',
    '',
    ['Communications', 'Navigation', 'Technology']
  ],
  [
    'gpredict',
    `${DOC}/gpredict/ft-847.txt`,
    'Setting up gpredict for use with a Yaesu FT-847 radio',
    ' | Patrick Dohmen',
    '2017',
    RADIO
  ],
  [
    'nethack-common',
    `${DOC}/nethack-common/Guidebook.txt.gz`,
    'A Guide to the Mazes of Menace | A Guide to the Mazes of Menace (Guidebook for NetHack)',
    'Eric S. Raymond | Eric S. Raymond, Mike Stephenson and others | Eric S. Raymond, Mike Stephenson',
    '2020',
    TECHNOLOGY
  ],
  ['tiger', 'usr/lib/tiger/doc/nfs.txt', 'nfs', '', '', SECURITY],
  ['tiger', `${DOC}/tiger/examples/issue-readme.txt`, 'Warning banners | issue-readme', '', '', SECURITY],
  ['sunclock', `${DOC}/sunclock/VMF.txt.gz`, 'VMF | The VMF format', '', '', POSITION],
  [
    'debian-policy',
    `${DOC}/debian-policy/copyright-format-1.0.txt.gz`,
    'Machine-readable debian/copyright file',
    '',
    '2022',
    TECHNOLOGY
  ],
  [
    'debian-policy',
    `${DOC}/debian-policy/perl-policy.txt.gz`,
    'Debian Perl Policy',
    'Raphaël Hertzog, Brendan O’Dea, The Debian Policy Mailing List | Raphaël Hertzog, Brendan O’Dea',
    '2022 | 2001',
    TECHNOLOGY
  ],
  [
    'debian-history',
    `${DOC}/debian-history/docs/project-history.en.txt.gz`,
    'A Brief History of Debian',
    'Debian Publicity Team | Debian Documentation Team | Debian Documentation Team, Debian Publicity Team',
    '2023',
    PROJECT
  ],
  [
    'debmake-doc',
    `${DOC}/debmake-doc/debmake-doc.en.txt.gz`,
    'Guide for Debian Maintainers',
    'Osamu Aoki',
    '2021',
    TECHNOLOGY
  ],
  [
    'developers-reference',
    'usr/share/developers-reference/developers-reference.txt.gz',
    'Debian Developer’s Reference',
    'Developer’s Reference Team',
    '2023',
    PROJECT
  ],
  [
    'debian-reference-en',
    'usr/share/debian-reference/debian-reference.en.txt.gz',
    'Debian Reference',
    'Osamu Aoki',
    '2021 | 2023',
    TECHNOLOGY
  ],
  [
    'fai-doc',
    `${DOC}/fai-doc/fai-guide.txt.gz`,
    'FAI Guide (Fully Automatic Installation) | FAI Guide',
    'Thomas Lange',
    '2022 | 2019',
    TECHNOLOGY
  ],
  ['survex', `${DOC}/survex/manual.txt.gz`, 'Survex 1.4.4 Manual', 'Olly Betts, Wookey | Olly Betts', '2018', CAVES],
  [
    'live-manual-txt',
    `${DOC}/live-manual/txt/live-manual.en.txt.gz`,
    'Live Systems Manual',
    ' | Live Systems Project',
    ' | 2015',
    TECHNOLOGY
  ],
  [
    'sendmail-doc',
    `${DOC}/sendmail-doc/op/op.txt.gz`,
    'Sendmail Installation and Operation Guide | SENDMAILTM Installation and Operation Guide',
    'Eric Allman, Claus Assmann, Gregory Neil Shapiro',
    '',
    RADIO
  ],
  ['sendmail-doc', `${DOC}/sendmail-doc/faq.txt.gz`, 'Frequently Asked Questions', '', '2007', RADIO],
  [
    'squidguard-doc',
    `${DOC}/squidguard-doc/doc/faq.txt.gz`,
    'The squidGuard FAQ',
    'Pål Baltzersen and Lars Erik Håland',
    '2002 | 2000',
    SECURITY
  ],
  ['crrcsim-doc', `${DOC}/crrcsim-doc/compile.txt.gz`, 'How to compile CRRCSim', '', '', TECHNOLOGY],
  [
    'sdcc-doc',
    `${DOC}/sdcc-doc/aslink/asmlnk.txt.gz`,
    'SDCC ASxxxx Assemblers and SDCC ASLINK Relocating Linker',
    ' | Alan R. Baldwin',
    '',
    TECHNOLOGY
  ],
  [
    'mgetty-docs',
    `${DOC}/mgetty/secure_tty.txt.gz`,
    'Paranoid Secure Port Implementation',
    'Marc SCHAEFER',
    '1999',
    SECURITY
  ],
  [
    'lifelines-doc',
    `${DOC}/lifelines-doc/ll-userguide.txt.gz`,
    'LifeLines Documentation | LifeLines Documentation: LifeLines Version 3.0.61',
    'Thomas T. Wetmore, IV | Thomas T. Wetmore',
    ' | 1999',
    TECHNOLOGY
  ],
  [
    'xorg-docs',
    `${DOC}/xorg-docs/Xserver/XACE-Spec.txt.gz`,
    'X Access Control Extension Specification',
    'Eamon F. Walsh',
    '2009',
    SECURITY
  ],
  [
    'xorg-docs',
    `${DOC}/xorg-docs/xlfd/xlfd.txt.gz`,
    'X Logical Font Description Conventions | X Logical Font Description Conventions - X Consortium Standard',
    'Jim Flowers | Jim Flowers, Stephen Gildea | Jim Flowers and Stephen Gildea',
    '1994',
    TECHNOLOGY
  ],
  [
    'installation-guide-amd64',
    `${DOC}/installation-guide-amd64/en/install.en.txt.gz`,
    'Debian GNU/Linux Installation Guide',
    ' | the Debian Installer team',
    '2023',
    TECHNOLOGY
  ]
]
